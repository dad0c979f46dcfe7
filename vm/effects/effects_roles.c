#include "vm/effects/effects_roles.h"

#define BIT(role) (UINT32_C(1) << (role))

// ---- what a row says ----

static bool has_contents(enum gv_kind kind)
{
    return kind == GV_KIND_BUFFER || kind == GV_KIND_IMAGE || kind == GV_KIND_QUERY ||
           kind == GV_KIND_MAP;
}

static bool touches(uint8_t role, enum gv_kind kind)
{
    return role == GV_ROLE_READ || role == GV_ROLE_WRITE || role == GV_ROLE_UPDATE ||
           (role == GV_ROLE_DESTROY && kind == GV_KIND_MAP);
}

// A number belongs to the handle before it and to those before it that have none.
static void note_number(struct gv_touch *touch, size_t count, uint8_t role,
                        uint64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (touch[i].has & BIT(role))
            continue;
        touch[i].has |= BIT(role);
        touch[i].number[role] = value;
    }
}

// From one corner to the opposite one, whichever is lower.
static void note_corner(struct gv_touch *touch, uint8_t role, int64_t far)
{
    int64_t near = (int64_t)touch->number[role];
    uint8_t size = (uint8_t)(role - GV_ROLE_X + GV_ROLE_W);
    touch->has |= BIT(size);
    touch->number[role] = (uint64_t)(near < far ? near : far);
    touch->number[size] = (uint64_t)(near < far ? far - near : near - far);
}

static bool is_place(uint8_t role)
{
    return role == GV_ROLE_X || role == GV_ROLE_Y || role == GV_ROLE_Z;
}

static uint64_t number_of(const struct gv_touch *touch, uint8_t role, uint64_t without)
{
    return touch->has & BIT(role) ? touch->number[role] : without;
}

// Slices of a 3D image stand for layers of another, and the other way around.
static struct gv_box box_of(const struct gv_track *t, const struct gv_touch *touch)
{
    uint64_t depth = number_of(touch, GV_ROLE_D, 1),
             layers = number_of(touch, GV_ROLE_LAYERS, 1);
    bool whole = !(touch->has & BIT(GV_ROLE_W));
    bool volume = t->objects[touch->object].image.type == GV_IMAGE_TYPE_3D;
    return (struct gv_box){
        .image = touch->object,
        .aspect = number_of(touch, GV_ROLE_ASPECT, 0),
        .mip = number_of(touch, GV_ROLE_MIP, 0),
        .layer = number_of(touch, GV_ROLE_LAYER, 0),
        .layers = whole || (!volume && !depth) ? layers : depth * layers,
        .x = number_of(touch, GV_ROLE_X, 0),
        .y = number_of(touch, GV_ROLE_Y, 0),
        .z = number_of(touch, GV_ROLE_Z, 0),
        .width = number_of(touch, GV_ROLE_W, 0),
        .height = number_of(touch, GV_ROLE_H, 0),
        .depth = depth * layers,
    };
}

size_t gv_touches(const struct gv_track *t, const struct gv_track_call *c,
                  struct gv_touch *out)
{
    const struct gv_call_info *info = &gv_call_infos[c->call];
    size_t count = 0;
    bool optional;
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_arg_info *arg = &info->args[i];
        enum gv_kind kind = gv_arg_object_kind((enum gv_arg_kind)arg->kind, &optional);
        if (has_contents(kind) && touches(arg->role, kind) && count < GV_MAX_TOUCHES) {
            struct gv_touch *touch = &out[count++];
            touch->object = (uint32_t)c->args[i].u;
            touch->kind = (uint8_t)kind;
            touch->role = arg->role;
            touch->has = 0;
        } else if (arg->role >= GV_ROLE_OFFSET && arg->role < GV_ROLE_INDEX && count) {
            struct gv_touch *last = &out[count - 1];
            if (is_place(arg->role) && last->has & BIT(arg->role))
                note_corner(last, arg->role, c->args[i].i);
            else
                note_number(out, count, arg->role, c->args[i].u);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (out[i].kind == GV_KIND_IMAGE)
            out[i].box = box_of(t, &out[i]);
    return count;
}

// ---- as effects ----

static void put_image(const struct gv_track *t, struct gv_effects *out,
                      const struct gv_touch *touch, enum gv_effect_kind kind)
{
    if (kind != GV_EFFECT_READ && !number_of(touch, GV_ROLE_ASPECT, GV_ASPECT_COLOR))
        return; // no plane at all
    if (touch->has & BIT(GV_ROLE_W))
        gv_put_box(t, out, &touch->box, kind);
    else
        gv_put_mips(t, out, &touch->box, number_of(touch, GV_ROLE_MIPS, 1), kind);
}

static void put_buffer(const struct gv_track *t, struct gv_effects *out,
                       const struct gv_touch *touch, const struct gv_touch *image,
                       enum gv_effect_kind kind)
{
    struct gv_effect e = { .object = touch->object,
                           .kind = (uint8_t)kind,
                           .offset = number_of(touch, GV_ROLE_OFFSET, 0),
                           .rows = (uint32_t)number_of(touch, GV_ROLE_ROWS, 1) };
    if (image) {
        e.stride = touch->number[GV_ROLE_ROW_BYTES];
        gv_put_texels(t, out, &image->box, &e);
        return;
    }
    e.stride = number_of(touch, GV_ROLE_STRIDE, 0);
    e.row_bytes = touch->has & BIT(GV_ROLE_STRIDE)
                      ? touch->number[GV_ROLE_ROW_BYTES]
                      : number_of(touch, GV_ROLE_BYTES, UINT64_MAX);
    gv_put(out, &e);
}

static const struct gv_touch *find_image(const struct gv_touch *touch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (touch[i].kind == GV_KIND_IMAGE)
            return &touch[i];
    return NULL;
}

void gv_put_touch(const struct gv_track *t, struct gv_effects *out,
                  const struct gv_touch *touch, size_t count, size_t which,
                  enum gv_effect_kind kind)
{
    if (touch[which].kind == GV_KIND_IMAGE)
        put_image(t, out, &touch[which], kind);
    else
        put_buffer(t, out, &touch[which], find_image(touch, count), kind);
}
