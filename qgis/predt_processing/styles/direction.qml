<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.16-Białowieża" styleCategories="Symbology">
  <pipe-data-defined-properties>
    <Option type="Map">
      <Option type="QString" name="name" value=""/>
      <Option name="properties"/>
      <Option type="QString" name="type" value="collection"/>
    </Option>
  </pipe-data-defined-properties>
  <pipe>
    <provider>
      <resampling enabled="false" zoomedInResamplingMethod="nearestNeighbour" maxOversampling="2" zoomedOutResamplingMethod="nearestNeighbour"/>
    </provider>
    <rasterrenderer type="singlebandpseudocolor" opacity="1" alphaBand="-1" band="1" nodataColor="" classificationMin="0" classificationMax="360">
      <minMaxOrigin>
        <limits>None</limits>
        <extent>WholeRaster</extent>
        <statAccuracy>Estimated</statAccuracy>
        <cumulativeCutLower>0.02</cumulativeCutLower>
        <cumulativeCutUpper>0.98</cumulativeCutUpper>
        <stdDevFactor>2</stdDevFactor>
      </minMaxOrigin>
      <rastershader>
        <colorrampshader maximumValue="360" clip="0" classificationMode="2" colorRampType="INTERPOLATED" minimumValue="0" labelPrecision="6">
          <colorramp type="gradient" name="[source]">
            <Option type="Map">
              <Option type="QString" name="color1" value="43,108,176,255"/>
              <Option type="QString" name="color2" value="43,108,176,255"/>
              <Option type="QString" name="discrete" value="0"/>
              <Option type="QString" name="rampType" value="gradient"/>
              <Option type="QString" name="stops" value="0.25;232,227,217,255:0.5;217,128,50,255:0.75;61,43,61,255"/>
            </Option>
            <prop k="color1" v="43,108,176,255"/>
            <prop k="color2" v="43,108,176,255"/>
            <prop k="discrete" v="0"/>
            <prop k="rampType" v="gradient"/>
            <prop k="stops" v="0.25;232,227,217,255:0.5;217,128,50,255:0.75;61,43,61,255"/>
          </colorramp>
          <item label="on a target" color="#ffffff" alpha="255" value="0"/>
          <item label="north" color="#2b6cb0" alpha="255" value="1e-06"/>
          <item label="45" color="#8aa8c4" alpha="255" value="45"/>
          <item label="90" color="#e8e3d9" alpha="255" value="90"/>
          <item label="135" color="#e1b285" alpha="255" value="135"/>
          <item label="180" color="#d98032" alpha="255" value="180"/>
          <item label="225" color="#8b5638" alpha="255" value="225"/>
          <item label="270" color="#3d2b3d" alpha="255" value="270"/>
          <item label="315" color="#344c77" alpha="255" value="315"/>
          <item label="360 north" color="#2b6cb0" alpha="255" value="360"/>
          <rampLegendSettings direction="0" suffix="" minimumLabel="" maximumLabel="" prefix="" orientation="2" useContinuousLegend="1">
            <numericFormat id="basic">
              <Option type="Map">
                <Option type="QChar" name="decimal_separator" value=""/>
                <Option type="int" name="decimals" value="6"/>
                <Option type="int" name="rounding_type" value="0"/>
                <Option type="bool" name="show_plus" value="false"/>
                <Option type="bool" name="show_thousand_separator" value="true"/>
                <Option type="bool" name="show_trailing_zeros" value="false"/>
                <Option type="QChar" name="thousand_separator" value=""/>
              </Option>
            </numericFormat>
          </rampLegendSettings>
        </colorrampshader>
      </rastershader>
    </rasterrenderer>
    <brightnesscontrast brightness="0" contrast="0" gamma="1"/>
    <huesaturation colorizeOn="0" grayscaleMode="0" colorizeGreen="128" colorizeRed="255" saturation="0" invertColors="0" colorizeStrength="100" colorizeBlue="128"/>
    <rasterresampler maxOversampling="2"/>
    <resamplingStage>resamplingFilter</resamplingStage>
  </pipe>
  <blendMode>0</blendMode>
</qgis>
