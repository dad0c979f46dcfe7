#define _GNU_SOURCE // dl_iterate_phdr
#include "tools/process/shader_cache.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/cache_folder.h"
#include "tools/process/driver_cache.h"

// ---- which program this is ----

static bool is_build_id(const ElfW(Nhdr) * note, const char *name)
{
    return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
           memcmp(name, "GNU", sizeof "GNU") == 0 && note->n_descsz;
}

static bool read_notes(const char *at, size_t size, struct gv_hash *id)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const size_t name = sizeof note, bytes = name + ((note.n_namesz + 3u) & ~3u);
        const size_t next = bytes + ((note.n_descsz + 3u) & ~3u);
        if (next > size)
            return false;
        if (is_build_id(&note, at + name)) {
            *id = gv_hash_bytes(at + bytes, note.n_descsz);
            return true;
        }
        at += next;
        size -= next;
    }
    return false;
}

// The first object is the program itself. 1: found.
static int read_program(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        // A segment's place is a number.
        const char *at = (const char *)(uintptr_t)(info->dlpi_addr + p->p_vaddr);
        if (p->p_type == PT_NOTE && read_notes(at, p->p_memsz, context))
            return 1;
    }
    return -1;
}

// ---- the folder ----

void gv_shader_cache_open(struct gv_shader_cache *c)
{
    char own[3072], folder[sizeof own + 16];
    struct gv_hash id;
    *c = (struct gv_shader_cache){ 0 };
    if (dl_iterate_phdr(read_program, &id) != 1 || !gv_cache_folder(own, sizeof own))
        return;
    snprintf(folder, sizeof folder, "%s/shaders", own);
    if (!gv_folder_keeper_open(&c->files, folder, &id, GV_SHADER_CACHE_LIMIT))
        return;
    c->keeper = &c->files.keeper;
    c->folder = c->files.folder;
}

void gv_shader_cache_close(struct gv_shader_cache *c)
{
    if (c->keeper)
        gv_folder_keeper_close(&c->files);
}
