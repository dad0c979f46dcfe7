#include "tests/layers/hide/hide_dispatch.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gv_hide_instance *instances;
static struct gv_hide_device *devices;

// The first word of a dispatchable handle is the loader's table, the same for every
// handle below one instance or device.
static void *key_of(const void *handle)
{
    return *(void *const *)handle;
}

struct gv_hide_instance *gv_hide_instance_of(const void *handle)
{
    pthread_mutex_lock(&lock);
    struct gv_hide_instance *i = handle ? instances : NULL;
    while (i && i->key != key_of(handle))
        i = i->next;
    pthread_mutex_unlock(&lock);
    return i;
}

struct gv_hide_device *gv_hide_device_of(const void *handle)
{
    pthread_mutex_lock(&lock);
    struct gv_hide_device *d = handle ? devices : NULL;
    while (d && d->key != key_of(handle))
        d = d->next;
    pthread_mutex_unlock(&lock);
    return d;
}

void gv_hide_instance_add(struct gv_hide_instance *instance)
{
    pthread_mutex_lock(&lock);
    instance->key = key_of(instance->handle);
    instance->next = instances;
    instances = instance;
    pthread_mutex_unlock(&lock);
}

void gv_hide_device_add(struct gv_hide_device *device)
{
    pthread_mutex_lock(&lock);
    device->key = key_of(device->handle);
    device->next = devices;
    devices = device;
    pthread_mutex_unlock(&lock);
}

void gv_hide_instance_remove(struct gv_hide_instance *instance)
{
    pthread_mutex_lock(&lock);
    struct gv_hide_instance **at = &instances;
    while (*at && *at != instance)
        at = &(*at)->next;
    if (*at)
        *at = instance->next;
    pthread_mutex_unlock(&lock);
}

void gv_hide_device_remove(struct gv_hide_device *device)
{
    pthread_mutex_lock(&lock);
    struct gv_hide_device **at = &devices;
    while (*at && *at != device)
        at = &(*at)->next;
    if (*at)
        *at = device->next;
    pthread_mutex_unlock(&lock);
}

void gv_hide_broken(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "GV_HIDE: broken: %s\n", text);
    abort();
}
