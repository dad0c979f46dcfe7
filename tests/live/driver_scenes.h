// Scenes of live_scenes.c of what Vulkan leaves open to drivers, each of one kind
// alone, in a window of 240 x 180: tests/drivers/open.tsv says how far drivers may be
// apart.
#ifndef GV_DRIVER_SCENES_H
#define GV_DRIVER_SCENES_H

void scene_open_levels(int frame);   // levels of detail: digits of a logarithm
void scene_open_weights(int frame);  // filter weights
void scene_open_ties(int frame);     // nearest texels where two are as near
void scene_open_slants(int frame);   // vertices that lie between places of the grid
void scene_open_lines(int frame);    // thin lines between places of the grid
void scene_open_digits(int frame);   // functions that are not computed to the last bit
void scene_open_bits(int frame);     // colours rounded to few bits
void scene_open_depths(int frame);   // depths of polygons on one plane
void scene_open_outlines(int frame); // flat triangles outlined by the device
void scene_open_seams(int frame);    // cube maps filtered across their edges
void scene_open_coverage(int frame); // samples that an alpha covers

// What no driver draws otherwise.
void scene_clear_values(int frame); // integers beyond what a target holds
void scene_tied_draws(int frame);   // draws with edges on pixels' centres

#endif
