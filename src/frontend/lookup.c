/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frontend/lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <libaudit.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "frontend/diagnostic.h"
#include "frontend/id_table.h"
#include "model/field.h"
#include "model/syscall_set.h"

struct name_list {
	const char **name; /* NULL-terminated */
	int machine;
	struct name_list *next;
};

struct lookup {
	struct arena *arena;
	const char *root;
	const struct target *target;
	struct id_table users, groups;
	struct name_list *calls;
	struct name_list *msgtypes;
};

struct lookup *lookup_new(struct arena *arena, const char *root,
			  const struct target *target)
{
	struct lookup *lookup = arena_alloc(arena, sizeof(*lookup));

	lookup->arena = arena;
	lookup->root = root ? root : "";
	lookup->target = target;
	lookup->users = (struct id_table){arena, lookup->root, .group = false};
	lookup->groups = (struct id_table){arena, lookup->root, .group = true};
	return lookup;
}

void lookup_free(struct lookup *lookup)
{
	id_table_done(&lookup->users);
	id_table_done(&lookup->groups);
}

/* Users and groups */

bool lookup_user(struct lookup *lookup, const char *name, uint32_t *id)
{
	return id_table_lookup(&lookup->users, name, id);
}

bool lookup_group(struct lookup *lookup, const char *name, uint32_t *id)
{
	return id_table_lookup(&lookup->groups, name, id);
}

const char *lookup_nearest_user(struct lookup *lookup, const char *name)
{
	return id_table_nearest(&lookup->users, name);
}

const char *lookup_nearest_group(struct lookup *lookup, const char *name)
{
	return id_table_nearest(&lookup->groups, name);
}

/* Paths */

/* Opens PATH as a process with ROOT as its root would see it; else -errno, and
 * -ENOSYS if that is not possible here. */
static int open_in_root(const char *root, const char *path)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC,
			       .resolve = RESOLVE_IN_ROOT};
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (dir < 0)
		return -errno;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0)
		fd = errno == EPERM ? -ENOSYS : -errno;
	close(dir);
	return fd;
}

/* 0 or errno. */
static int stat_under_root(const struct lookup *lookup, const char *path,
			   struct stat *found)
{
	int fd, error;

	if (!lookup->root[0])
		return stat(path, found) == 0 ? 0 : errno;
	fd = open_in_root(lookup->root, path);
	if (fd == -ENOSYS) {
		char *full = NULL;

		if (asprintf(&full, "%s%s", lookup->root, path) < 0)
			return ENOMEM;
		error = stat(full, found) == 0 ? 0 : errno;
		free(full);
		return error;
	}
	if (fd < 0)
		return -fd;
	error = fstat(fd, found) == 0 ? 0 : errno;
	close(fd);
	return error;
}

enum path_kind lookup_path(struct lookup *lookup, const char *path)
{
	struct stat found;

	switch (stat_under_root(lookup, path, &found)) {
	case 0:
		return S_ISDIR(found.st_mode) ? PATH_DIRECTORY : PATH_OTHER;
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return PATH_MISSING;
	default:
		return PATH_UNKNOWN;
	}
}

/* Machines */

static int machine_32bit(int machine)
{
	switch (machine) {
	case MACH_86_64:
		return MACH_X86;
	case MACH_PPC64:
		return MACH_PPC;
	case MACH_S390X:
		return MACH_S390;
	case MACH_AARCH64:
		return MACH_ARM;
	case 13: /* MACH_RISCV64, absent from older headers */
		return 12;
	case MACH_PPC64LE:
		return -1;
	default:
		return machine;
	}
}

static bool machine_is_32bit(int machine)
{
	return machine == MACH_X86 || machine == MACH_PPC ||
	       machine == MACH_S390 || machine == MACH_ARM || machine == 12;
}

uint32_t lookup_arch(const struct lookup *lookup, const char *text)
{
	int machine = lookup->target->machine;

	if (strcasecmp(text, "b64") == 0) {
		if (machine_is_32bit(machine))
			return 0;
	} else if (strcasecmp(text, "b32") == 0) {
		machine = machine_32bit(machine);
	} else {
		machine = audit_name_to_machine(text);
		if (machine < 0) {
			errno = 0;
			machine = audit_elf_to_machine(
				(unsigned int)strtoul(text, NULL, 16));
			if (errno)
				machine = -1;
		}
	}
	return machine < 0 ? 0 : audit_machine_to_elf(machine);
}

const char *lookup_arch_name(const struct lookup *lookup, uint32_t elf)
{
	int abi = target_abi_of_elf(lookup->target, elf);
	const char *name;

	if (abi >= 0)
		return lookup->target->abi[abi].name;
	name = audit_machine_to_name(audit_elf_to_machine(elf));
	return name ? name : "that arch";
}

/* Nearest names of libaudit's tables */

static const char *candidate_field(size_t i, void *data)
{
	const struct field_info *row = field_row((unsigned int)i);

	(void)data;
	return row ? row->name : NULL;
}

const char *lookup_nearest_field(const char *name)
{
	return nearest_name(name, candidate_field, NULL);
}

/* Calls NAME_OF(0 .. LIMIT-1) and lists what is not NULL. */
static const char **list_names(struct arena *arena, int from, int limit,
			       const char *(*name_of)(int number))
{
	const char **list =
		arena_array(arena, (size_t)(limit - from) + 1, sizeof(*list));
	size_t n = 0;

	for (int i = from; i < limit; i++) {
		const char *name = name_of(i);

		if (name)
			list[n++] = name;
	}
	return list;
}

#define ERRNO_LIMIT 134 /* one past EHWPOISON */

const char *lookup_nearest_errno(const char *name)
{
	struct arena *arena = arena_new();
	const char *found;

	name += *name == '-';
	found = nearest_in_list(
		name, list_names(arena, 1, ERRNO_LIMIT, audit_errno_to_name));
	arena_free(arena);
	return found;
}

#define MSGTYPE_LIMIT 3000 /* AUDIT_LAST_USER_MSG2 and one */

const char *lookup_nearest_msgtype(struct lookup *lookup, const char *name)
{
	if (!lookup->msgtypes) {
		lookup->msgtypes =
			arena_alloc(lookup->arena, sizeof(*lookup->msgtypes));
		lookup->msgtypes->name =
			list_names(lookup->arena, AUDIT_GET, MSGTYPE_LIMIT,
				   audit_msg_type_to_name);
	}
	return nearest_in_list(name, lookup->msgtypes->name);
}

const char *lookup_nearest_filetype(const char *name)
{
	static const char *const known[] = {"socket", "link", "file",
					    "block",  "dir",  "character",
					    "fifo",   NULL};

	return nearest_in_list(name, known);
}

static const char *candidate_arch(size_t i, void *data)
{
	static const char *const bits[] = {"b64", "b32"};

	(void)data;
	return i < 2 ? bits[i] : target_name((unsigned int)i - 2);
}

const char *lookup_nearest_arch(const char *name)
{
	return nearest_name(name, candidate_arch, NULL);
}

/* Calls */

static const struct name_list *call_names(struct lookup *lookup, int machine)
{
	struct name_list *list;
	size_t n = 0;

	for (list = lookup->calls; list; list = list->next)
		if (list->machine == machine)
			return list;
	list = arena_alloc(lookup->arena, sizeof(*list));
	list->machine = machine;
	list->name = arena_array(lookup->arena, SYSCALL_MASK_BITS + 1,
				 sizeof(*list->name));
	for (int i = 0; i < SYSCALL_MASK_BITS; i++) {
		const char *name = audit_syscall_to_name(i, machine);

		if (name)
			list->name[n++] = name;
	}
	list->next = lookup->calls;
	lookup->calls = list;
	return list;
}

/* Is LONGER the name SHORTER with digits behind it? (umount2, stat64) */
static bool is_variant(const char *shorter, const char *longer)
{
	size_t n = strlen(shorter);

	return strncmp(shorter, longer, n) == 0 && longer[n] &&
	       strspn(longer + n, "0123456789") == strlen(longer + n);
}

static bool is_in(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static const char *variant_of(const struct name_list *calls, const char *name,
			      const char *const *given)
{
	for (size_t i = 0; calls->name[i]; i++)
		if ((is_variant(name, calls->name[i]) ||
		     is_variant(calls->name[i], name)) &&
		    !is_in(given, calls->name[i]))
			return calls->name[i];
	return NULL;
}

static const char *nearest_call(struct lookup *lookup,
				const struct name_list *calls, const char *name,
				const char *const *given)
{
	const char **names = arena_array(lookup->arena, SYSCALL_MASK_BITS + 1,
					 sizeof(*names));
	size_t n = 0;

	for (size_t i = 0; calls->name[i]; i++)
		if (!is_in(given, calls->name[i]))
			names[n++] = calls->name[i];
	return nearest_in_list(name, names);
}

/* Newer than audit 3.0.9, in the order of the kernel's scripts/syscall.tbl. */
int lookup_young_call(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} calls[] = {
		{"cachestat", 451},	    {"fchmodat2", 452},
		{"map_shadow_stack", 453},  {"futex_wake", 454},
		{"futex_wait", 455},	    {"futex_requeue", 456},
		{"statmount", 457},	    {"listmount", 458},
		{"lsm_get_self_attr", 459}, {"lsm_set_self_attr", 460},
		{"lsm_list_modules", 461},  {"mseal", 462},
		{"setxattrat", 463},	    {"getxattrat", 464},
		{"listxattrat", 465},	    {"removexattrat", 466},
		{"open_tree_attr", 467},    {"file_getattr", 468},
		{"file_setattr", 469},	    {"listns", 470},
		{"rseq_slice_yield", 471},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	return -1;
}

static const char *other_machine_with(const struct lookup *lookup,
				      const char *name)
{
	const char *machine;

	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (target_call_number(lookup->target, abi, name) >= 0)
			return lookup->target->abi[abi].name;
	for (unsigned int i = 0; (machine = target_name(i)); i++) {
		const struct target *other = target_by_name(machine);

		for (int abi = 0; abi < ABI_COUNT; abi++)
			if (target_call_number(other, abi, name) >= 0)
				return other->abi[abi].name;
	}
	return NULL;
}

const char *lookup_nearest_call(struct lookup *lookup, int machine,
				const char *name, const char *const *given,
				const char **elsewhere)
{
	const struct name_list *calls = call_names(lookup, machine);

	*elsewhere = other_machine_with(lookup, name);
	if (*elsewhere)
		return variant_of(calls, name, given);
	return nearest_call(lookup, calls, name, given);
}
