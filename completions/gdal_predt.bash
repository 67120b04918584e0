# Completion of gdal_predt's options for bash.
# Generated from src/raster/option_table.c by tests/options/generated.py: do not edit.

# The words among these that begin as the typed one does, and no files.
_gdal_predt_offer() {
    compopt +o default 2>/dev/null
    COMPREPLY=($(compgen -W "$1" -- "$word"))
}

_gdal_predt() {
    local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))
    COMPREPLY=()
    # --name=value is three words to bash
    if [[ $word == = ]]; then
        word=""
    elif [[ ${COMP_WORDS[at]} == = ]]; then
        at=$((at - 1))
    fi
    case ${COMP_WORDS[at]} in
    -srcband|--srcband|-band|--band|-b|--b)
        _gdal_predt_offer ""
        return ;;
    -dstband|--dstband)
        _gdal_predt_offer ""
        return ;;
    -values|--values|-target-values|--target-values)
        _gdal_predt_offer ""
        return ;;
    -distunits|--distunits|-distance-units|--distance-units)
        _gdal_predt_offer "PIXEL GEO METRE KM FOOT US_FOOT MILE NMI"
        return ;;
    -metric|--metric)
        _gdal_predt_offer "plane geodesic"
        return ;;
    -maxdist|--maxdist|-max-distance|--max-distance)
        _gdal_predt_offer ""
        return ;;
    -min-dist|--min-dist|-min-distance|--min-distance)
        _gdal_predt_offer ""
        return ;;
    -nodata|--nodata|-output-nodata|--output-nodata)
        _gdal_predt_offer ""
        return ;;
    -use_input_nodata|--use_input_nodata|-use-input-nodata|--use-input-nodata)
        _gdal_predt_offer "YES NO"
        return ;;
    -fixed-buf-val|--fixed-buf-val|-fixed-value|--fixed-value)
        _gdal_predt_offer ""
        return ;;
    -distance|--distance)
        return ;;
    -allocation|--allocation)
        return ;;
    -direction|--direction)
        return ;;
    -of|--of|-f|--f|-output-format|--output-format)
        _gdal_predt_offer "$(gdal_predt --formats 2>/dev/null | awk '/\(rw/ {print $1}')"
        return ;;
    -co|--co|-creation-option|--creation-option)
        _gdal_predt_offer ""
        return ;;
    -ot|--ot|-output-data-type|--output-data-type)
        _gdal_predt_offer "Byte UInt16 Int16 UInt32 Int32 Float32 Float64 UInt64 Int64"
        return ;;
    -engine|--engine)
        _gdal_predt_offer "auto $(gdal_predt -engines 2>/dev/null | awk 'NR > 1 && !/^ / {print $1}')"
        return ;;
    -device|--device)
        _gdal_predt_offer ""
        return ;;
    -gpu-memory|--gpu-memory)
        _gdal_predt_offer ""
        return ;;
    -threads|--threads)
        _gdal_predt_offer "ALL_CPUS"
        return ;;
    -memory|--memory)
        _gdal_predt_offer ""
        return ;;
    esac
    [[ $word == -* ]] && _gdal_predt_offer "-srcband --band -b -dstband -values --target-values -distunits --distance-units -metric -maxdist --max-distance -min-dist --min-distance -nodata --output-nodata -use_input_nodata --use-input-nodata -fixed-buf-val --fixed-value -distance -allocation -direction -of -f --output-format -co --creation-option -ot --output-data-type -overwrite -overwrite-all -engine -engines -device -gpu-memory -threads -memory -json -q --quiet -help -h -version --config --formats --format --debug --optfile"
    return 0
}
complete -o default -F _gdal_predt gdal_predt
