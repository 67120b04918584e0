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
    <rasterrenderer type="singlebandpseudocolor" opacity="1" alphaBand="-1" band="1" nodataColor="" classificationMin="0" classificationMax="1">
      <minMaxOrigin>
        <limits>None</limits>
        <extent>WholeRaster</extent>
        <statAccuracy>Estimated</statAccuracy>
        <cumulativeCutLower>0.02</cumulativeCutLower>
        <cumulativeCutUpper>0.98</cumulativeCutUpper>
        <stdDevFactor>2</stdDevFactor>
      </minMaxOrigin>
      <rastershader>
        <colorrampshader maximumValue="1" clip="0" classificationMode="1" colorRampType="INTERPOLATED" minimumValue="0" labelPrecision="6">
          <colorramp type="gradient" name="[source]">
            <Option type="Map">
              <Option type="QString" name="color1" value="255,250,205,255"/>
              <Option type="QString" name="color2" value="40,20,75,255"/>
              <Option type="QString" name="discrete" value="0"/>
              <Option type="QString" name="rampType" value="gradient"/>
              <Option type="QString" name="stops" value="0.2;253,204,120,255:0.4;244,130,90,255:0.6;195,64,110,255:0.8;104,35,120,255"/>
            </Option>
            <prop k="color1" v="255,250,205,255"/>
            <prop k="color2" v="40,20,75,255"/>
            <prop k="discrete" v="0"/>
            <prop k="rampType" v="gradient"/>
            <prop k="stops" v="0.2;253,204,120,255:0.4;244,130,90,255:0.6;195,64,110,255:0.8;104,35,120,255"/>
          </colorramp>
          <item label="0" color="#fffacd" alpha="255" value="0"/>
          <item label="0.2" color="#fdcc78" alpha="255" value="0.2"/>
          <item label="0.4" color="#f4825a" alpha="255" value="0.4"/>
          <item label="0.6" color="#c3406e" alpha="255" value="0.6"/>
          <item label="0.8" color="#682378" alpha="255" value="0.8"/>
          <item label="1" color="#28144b" alpha="255" value="1"/>
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
