#include "tools/select/command_set.h"

#include <inttypes.h>
#include <stdlib.h>

// A command whose own number is not its place.
struct moved {
    uint64_t number, command;
};

// All that is sorted and searched begins with its key.
static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort(struct gv_bytes *list, size_t each)
{
    if (list->size)
        qsort(list->data, list->size / each, each, compare_keys);
}

static const void *find(const struct gv_bytes *list, uint64_t key, size_t each)
{
    return list->size ? bsearch(&key, list->data, list->size / each, each, compare_keys)
                      : NULL;
}

void gv_known_commands_add(struct gv_known_commands *k,
                           const struct gv_set_member *member, uint64_t command)
{
    const struct moved moved = { member->number, command };
    if (member->number >= k->total)
        k->total = member->number + 1;
    if (member->kinds)
        gv_bytes_put(&k->members, member, sizeof *member);
    if (member->number == command)
        return;
    gv_bytes_put(&k->moved, &moved, sizeof moved);
    gv_bytes_put(&k->taken, &command, sizeof command);
}

void gv_known_commands_finish(struct gv_known_commands *k)
{
    gv_bytes_finish(&k->members);
    gv_bytes_finish(&k->moved);
    gv_bytes_finish(&k->taken);
}

static bool order(struct gv_known_commands *k, struct gv_error *err)
{
    sort(&k->members, sizeof(struct gv_set_member));
    sort(&k->moved, sizeof(struct moved));
    sort(&k->taken, sizeof(uint64_t));
    return !(k->members.failed || k->moved.failed || k->taken.failed) ||
           gv_out_of_memory(err);
}

// ---- from numbers to commands ----

struct chosen {
    uint64_t command, number;
    bool named;
};

// The command of a number; false: nothing has that number. Some have none below the
// highest: commands that are left out, and what a payload makes up.
static bool find_command(const struct gv_known_commands *k, uint64_t number,
                         uint64_t *command)
{
    const struct moved *moved = find(&k->moved, number, sizeof *moved);
    *command = moved ? moved->command : number;
    return moved || (number < k->commands && !find(&k->taken, number, sizeof number));
}

static bool choose(const struct gv_known_commands *k, const struct gv_selection *own,
                   struct gv_bytes *out, struct gv_error *err)
{
    for (size_t i = 0; i < own->count; i++) {
        struct chosen c = { .number = own->numbers[i], .named = own->named[i] };
        if (find_command(k, c.number, &c.command))
            gv_bytes_put(out, &c, sizeof c);
        else if (c.named)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--calls: there is no command %" PRIu64, c.number);
    }
    sort(out, sizeof(struct chosen));
    return !out->failed || gv_out_of_memory(err);
}

// In the order of commands; none comes twice.
static bool keep(struct gv_command_set *set, const struct gv_bytes *chosen,
                 struct gv_error *err)
{
    const struct chosen *c = (const struct chosen *)(const void *)chosen->data;
    size_t count = chosen->size / sizeof *c;
    set->commands = malloc((count + 1) * sizeof *set->commands);
    if (!set->commands)
        return gv_out_of_memory(err);
    set->own.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && c[i].command == c[i - 1].command)
            continue;
        set->commands[set->own.count] = c[i].command;
        set->own.numbers[set->own.count] = c[i].number;
        set->own.named[set->own.count++] = c[i].named;
    }
    return true;
}

bool gv_command_set_resolve(struct gv_command_set *set, struct gv_set *words,
                            struct gv_known_commands *k, struct gv_error *err)
{
    struct gv_bytes chosen = { 0 };
    if (!order(k, err))
        return false;
    words->members = (const struct gv_set_member *)(const void *)k->members.data;
    words->member_count = k->members.size / sizeof *words->members;
    bool ok = gv_set_resolve(words, k->total, "command", &set->own, err);
    if (ok && set->own.end)
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                     "--calls: 'end' is a frame's word; the last command is 'last'");
    ok = ok && choose(k, &set->own, &chosen, err) && keep(set, &chosen, err);
    gv_bytes_finish(&chosen);
    return ok;
}

void gv_command_set_finish(struct gv_command_set *set)
{
    gv_selection_finish(&set->own);
    free(set->commands);
    *set = (struct gv_command_set){ 0 };
}
