#!/bin/sh
# The table of docs/opengl/coverage.md on which functions are lowered is true: of OpenGL, GLES from
# 2.0 on and the extensions of OpenGL 1.5's time, by the headers of the registry (Debian's
# libgl-dev, libgles-dev).
#   coverage.sh GL_COVERAGE DOCUMENT          compares
#   coverage.sh GL_COVERAGE DOCUMENT write    brings the document up to date
set -eu
tool=$1 document=$2
headers=/usr/include/GL
es_header=/usr/include/GLES3/gl32.h
for header in $headers/glext.h $es_header; do
    [ -e $header ] || {
        echo "no $header"
        exit 77
    }
done
work=build/tests/gl/coverage.work
rm -rf $work
mkdir -p $work

# Extensions with functions up to those of OpenGL 2.0, which brought programs.
extensions='ARB_color_buffer_float ARB_draw_buffers ARB_fragment_program ARB_imaging
ARB_matrix_palette ARB_multisample ARB_multitexture ARB_occlusion_query
ARB_point_parameters ARB_shader_objects ARB_texture_compression ARB_transpose_matrix
ARB_vertex_blend ARB_vertex_buffer_object ARB_vertex_program ARB_vertex_shader
ARB_window_pos EXT_blend_color EXT_blend_equation_separate EXT_blend_func_separate
EXT_blend_minmax EXT_color_subtable EXT_compiled_vertex_array EXT_convolution
EXT_coordinate_frame EXT_copy_texture EXT_cull_vertex EXT_depth_bounds_test
EXT_draw_range_elements EXT_fog_coord EXT_framebuffer_blit EXT_framebuffer_multisample
EXT_framebuffer_object EXT_histogram EXT_index_func EXT_index_material
EXT_light_texture EXT_multi_draw_arrays EXT_multisample EXT_paletted_texture
EXT_pixel_transform EXT_point_parameters EXT_polygon_offset EXT_secondary_color
EXT_stencil_two_side EXT_subtexture EXT_texture3D EXT_texture_object
EXT_texture_perturb_normal EXT_vertex_array EXT_vertex_shader EXT_vertex_weighting
3DFX_tbuffer APPLE_element_array APPLE_fence APPLE_vertex_array_object
APPLE_vertex_array_range ATI_draw_buffers ATI_element_array ATI_envmap_bumpmap
ATI_fragment_shader ATI_map_object_buffer ATI_pn_triangles ATI_separate_stencil
ATI_vertex_array_object ATI_vertex_attrib_array_object ATI_vertex_streams
GREMEDY_frame_terminator GREMEDY_string_marker HP_image_transform
IBM_multimode_draw_arrays IBM_static_data IBM_vertex_array_lists
INGR_blend_func_separate INTEL_parallel_arrays MESA_resize_buffers MESA_window_pos
NV_evaluators NV_fence NV_fragment_program NV_half_float NV_occlusion_query
NV_pixel_data_range NV_point_sprite NV_primitive_restart NV_register_combiners
NV_register_combiners2 NV_vertex_array_range NV_vertex_program PGI_misc_hints
SGIS_detail_texture SGIS_fog_function SGIS_multisample SGIS_pixel_texture
SGIS_point_parameters SGIS_sharpen_texture SGIS_texture4D SGIS_texture_color_mask
SGIS_texture_filter4 SGIX_async SGIX_flush_raster SGIX_fragment_lighting
SGIX_framezoom SGIX_igloo_interface SGIX_instruments SGIX_list_priority
SGIX_pixel_texture SGIX_polynomial_ffd SGIX_reference_plane SGIX_sprite
SGIX_tag_sample_buffer SGI_color_table SUNX_constant_data SUN_global_alpha
SUN_mesh_array SUN_triangle_list SUN_vertex'

# GROUP SECTION NAME of every function, once.
{
    awk '/^#ifndef GL_/ { section = substr($2, 4) }
        /^GLAPI/ { sub(/ *\(.*/, ""); sub(/.* \**/, ""); print section, $0 }' \
        $headers/glext.h
    # No extensions: those that Mesa's own header adds are none of the time.
    awk '/^GLAPI.*gl[A-Z]/ && !/OES/ { sub(/ *\(.*/, ""); sub(/.* \**/, ""); print "VERSION_1_1", $0 }' \
        $headers/gl.h
    # What OpenGL has too counts there.
    awk '/^#ifndef GL_ES_VERSION/ { section = substr($2, 4) }
        /^GL_APICALL/ { sub(/ *\(.*/, ""); sub(/.* \**/, ""); print section, $0 }' $es_header
} | awk -v list="$extensions" '
    BEGIN { n = split(list, e); for (i = 1; i <= n; i++) wanted[e[i]] = 1 }
    $1 ~ /^VERSION_/ { group = "OpenGL" substr($1, 9, 1) }
    $1 ~ /^ES_/ { group = "GLES" }
    $1 !~ /^(ES_)?VERSION_/ { group = $1; sub(/_.*/, "", group)
        if (group != "ARB" && group != "EXT") group = "others" }
    ($1 in wanted || $1 ~ /^(ES_)?VERSION_/) && !($2 in seen) {
        seen[$2] = 1
        print group, $1, $2
    }' >$work/names
[ "$(wc -l <$work/names)" -gt 1000 ] || {
    echo "only $(wc -l <$work/names) functions in the headers"
    exit 1
}
cut -d' ' -f3 $work/names | "$tool" | cut -d' ' -f2 | paste -d' ' $work/names - >$work/said

{
    echo '| of | functions | lowered | without effect on pictures | not lowered |'
    echo '|---|---|---|---|---|'
    for group in OpenGL1 OpenGL2 OpenGL3 OpenGL4 GLES ARB EXT others; do
        awk -v group=$group '
            BEGIN {
                shown["OpenGL1"] = "OpenGL 1.0 to 1.5"; shown["OpenGL2"] = "OpenGL 2.0, 2.1"
                shown["OpenGL3"] = "OpenGL 3.0 to 3.3"; shown["OpenGL4"] = "OpenGL 4.0 to 4.6"
                shown["GLES"] = "GLES 2.0 to 3.2 alone"
            }
            $1 == group { all++; n[$4]++ }
            END { printf "| %s | %d | %d | %d | %d |\n",
                group in shown ? shown[group] : group, all, n["lowered"], n["silent"],
                n["missing"] }' $work/said
    done
    echo
    echo 'Not lowered (a number: all of an extension):'
    echo
    for group in OpenGL1 OpenGL2 OpenGL3 OpenGL4 GLES ARB EXT others; do
        awk -v group=$group '
            $1 == group {
                all[$2]++
                if ($4 == "missing") {
                    if (!count[$2]++) order[++sections] = $2
                    names[$2] = names[$2] " `" $3 "`"
                }
            }
            END {
                name = group
                sub(/OpenGL/, "OpenGL ", name)
                printf "- %s:", name
                for (i = 1; i <= sections; i++) {
                    s = order[i]
                    if (all[s] == count[s] && s !~ /VERSION/) printf " %s (%d)", s, all[s]
                    else printf "%s", names[s]
                }
                print sections ? "" : " none"
            }' $work/said | fold -s -w 96 | sed -e 's/ *$//' -e '2,$s/^/  /'
    done
} >$work/table

awk '/^<!-- coverage -->$/ { inside = 1; next } /^<!-- end -->$/ { inside = 0 } inside' \
    "$document" >$work/told
if [ "${3-}" = write ]; then
    awk -v table=$work/table '/^<!-- end -->$/ { inside = 0 }
        !inside
        /^<!-- coverage -->$/ { inside = 1; while ((getline line <table) > 0) print line }' \
        "$document" >$work/new
    cp $work/new "$document"
else
    diff $work/told $work/table || {
        echo "$document is not of today: tests/gl/coverage.sh $tool $document write"
        exit 1
    }
fi
