/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where will the rules be? What was said with --kernel, --lsm and --abi, and
 * what this machine tells where nothing was, if the rules are for one like it.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "model/perm.h"
#include "model/self_log.h"

#define MODULES_FILE "/sys/kernel/security/lsm"

/* Are the rules for a machine of this kind, and looked up here? */
static bool is_for_this_machine(const struct cli_options *options)
{
	const struct compile_options *compile = &options->common.compile;

	return compile->target == target_of_this_machine() && !*compile->root;
}

/* May the kernel be newer than what is known of kernels? Rules for a machine of
 * another kind are for what is known, if nothing else is said. */
static bool kernel_unknown(const struct cli_options *options, bool notes)
{
	struct utsname name;

	if (options->kernel)
		return !perm_kernel_known(options->kernel);
	if (options->common.compile.target != target_of_this_machine())
		return false;
	if (uname(&name) == 0 && perm_kernel_known(name.release))
		return false;
	if (notes)
		fprintf(stderr,
			"auditopt: note: this kernel is newer than %s, the "
			"newest that is known; --kernel=%s lets perm narrow "
			"masks all the same\n",
			perm_newest_kernel(), perm_newest_kernel());
	return true;
}

/* The first line of FILE in ARENA; NULL: it cannot be read. */
static char *first_line(struct arena *arena, const char *file)
{
	FILE *stream = fopen(file, "re");
	char line[1024];
	bool good = stream && fgets(line, sizeof(line), stream);

	if (stream)
		fclose(stream);
	if (!good)
		return NULL;
	return arena_strndup(arena, line, strcspn(line, "\n"));
}

/* The modules of this kernel, if none of them logs anything; else NULL. What
 * is not known logs. */
static const char *silent_modules(struct arena *arena,
				  const struct cli_options *options)
{
	const char *unknown;
	char *modules;

	if (!is_for_this_machine(options))
		return NULL;
	modules = first_line(arena, MODULES_FILE);
	if (!modules || asks_unlogged(modules, &unknown) != ASKS_ALL)
		return NULL;
	return modules;
}

static void assume_modules(struct arena *arena,
			   const struct cli_options *options, bool notes,
			   struct assumptions *a)
{
	const char *unknown, *modules = options->lsm;
	bool found = !modules || strcmp(modules, "auto") == 0;

	if (found)
		modules = silent_modules(arena, options);
	if (!modules)
		return;
	a->unlogged = asks_unlogged(modules, &unknown);
	if (found && notes)
		fprintf(stderr,
			"auditopt: note: no security module of this kernel "
			"(%s) logs anything, and it is taken that none does "
			"where the rules will be; else say --lsm=apparmor or "
			"the like\n",
			modules);
	if (a->unlogged && options->level < 2)
		a->text = arena_printf(
			arena,
			"%sHolds where no security modules are but %s "
			"(--lsm).\n",
			a->text,
			a->unlogged == ASKS_ALL ? "such as log nothing"
						: modules);
}

/* Does the configuration of kernel RELEASE say that OPTION is off? */
static bool is_configured_off(struct arena *arena, const char *release,
			      const char *option)
{
	const char *const places[] = {
		arena_printf(arena, "/boot/config-%s", release),
		arena_printf(arena, "/lib/modules/%s/config", release)};
	const char *wanted = arena_printf(arena, "# %s is not set\n", option);
	char line[256];
	bool off = false;

	for (size_t i = 0; i < 2 && !off; i++) {
		FILE *stream = fopen(places[i], "re");

		while (stream && !off && fgets(line, sizeof(line), stream))
			off = strcmp(line, wanted) == 0;
		if (stream)
			fclose(stream);
	}
	return off;
}

#ifdef __x86_64__
static void no_such_gate(int signal)
{
	(void)signal;
	_exit(1);
}

/* A child that asks for its process id as a 32-bit program would: without
 * IA32 emulation that is a fault, which it catches. */
static bool int80_faults(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		long result = 20; /* getpid */

		signal(SIGSEGV, no_such_gate);
		__asm__ volatile("int $0x80" : "+a"(result) : : "memory");
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child &&
	       WIFEXITED(status) && WEXITSTATUS(status) == 1;
}
#else
static bool int80_faults(void)
{
	return false;
}
#endif

/* Is it certain that this kernel runs native programs only? */
static bool runs_native_only(struct arena *arena,
			     const struct cli_options *options)
{
	struct utsname name;

	if (!is_for_this_machine(options) || uname(&name) != 0)
		return false;
	return int80_faults() ||
	       is_configured_off(arena, name.release,
				 strcmp(name.machine, "x86_64") == 0
					 ? "CONFIG_IA32_EMULATION"
					 : "CONFIG_COMPAT");
}

static void assume_abi(struct arena *arena, const struct cli_options *options,
		       bool notes, struct assumptions *a)
{
	const struct target *full = options->common.compile.target;
	bool found = options->abi == CLI_ABI_AUTO;

	a->target = full;
	if (options->abi == CLI_ABI_ALL || !target_has_abi(full, ABI_COMPAT) ||
	    (found && !runs_native_only(arena, options)))
		return;
	a->target = target_native_only(arena, full);
	a->foreign = full->abi[ABI_COMPAT].elf;
	if (notes)
		fprintf(stderr,
			"auditopt: note: %s%s programs do not count: what "
			"their calls would log is not looked at\n",
			found ? "this kernel runs none, so " : "",
			full->abi[ABI_COMPAT].name);
	a->text = arena_printf(arena,
			       "%sHolds where no %s programs run (--abi): "
			       "looked at and proved for %s calls only.\n",
			       a->text, full->abi[ABI_COMPAT].name,
			       full->abi[ABI_NATIVE].name);
}

struct assumptions cli_assume(struct arena *arena,
			      const struct cli_options *options, bool notes)
{
	struct assumptions a = {.text = ""};

	a.kernel_unknown = kernel_unknown(options, notes && options->level > 0);
	assume_modules(arena, options, notes && options->level == 1, &a);
	assume_abi(arena, options, notes, &a);
	return a;
}
