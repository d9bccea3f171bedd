/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/steps.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/make_call.h"

static char name[3][4200];
static char memory[4096];

/* One place for what is to be done, and its memory as io_uring_setup() tells. */
struct ring {
	int fd;
	char *memory;
	struct io_uring_sqe *todo;
	struct io_uring_params params;
};

static struct ring rings[2]; /* one for each way to ask for it */

static bool open_ring(struct ring *ring)
{
	struct io_uring_params *p = &ring->params;
	size_t size = 4096; /* more than the offsets of so small a ring */

	memset(p, 0, sizeof(*p));
	ring->fd = (int)syscall(SYS_io_uring_setup, 1, p);
	if (ring->fd < 0 || !(p->features & IORING_FEAT_SINGLE_MMAP))
		return false;
	ring->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			    ring->fd, IORING_OFF_SQ_RING);
	ring->todo = mmap(NULL, sizeof(*ring->todo), PROT_READ | PROT_WRITE,
			  MAP_SHARED, ring->fd, IORING_OFF_SQES);
	return ring->memory != MAP_FAILED && ring->todo != MAP_FAILED;
}

static uint32_t *word(const struct ring *ring, uint32_t offset)
{
	return (uint32_t *)(ring->memory + offset);
}

static void submit(enum way way, const struct io_uring_sqe *todo)
{
	const struct ring *ring = &rings[way];
	const struct io_uring_params *p = &ring->params;

	*ring->todo = *todo;
	*word(ring, p->sq_off.array) = 0;
	__atomic_fetch_add(word(ring, p->sq_off.tail), 1, __ATOMIC_RELEASE);
	/* the same number for both ABIs */
	make(way, SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS,
	     0);
	/* the answer is of no interest */
	__atomic_store_n(word(ring, p->cq_off.head),
			 *word(ring, p->cq_off.tail), __ATOMIC_RELEASE);
}

static void ring_once(const struct io_uring_sqe *todo)
{
	for (enum way way = WAY_64; way <= WAY_32; way++)
		submit(way, todo);
}

/* One path, and one more for those that take two. */
static void ring_names(int operation, const char *path, const char *other,
		       unsigned int flags)
{
	struct io_uring_sqe todo = {.opcode = (uint8_t)operation,
				    .fd = AT_FDCWD};

	todo.addr = (uint64_t)PTR(path);
	todo.open_flags = flags;
	if (other) {
		todo.len = (uint32_t)AT_FDCWD;
		todo.addr2 = (uint64_t)PTR(other);
	} else if (operation == IORING_OP_MKDIRAT) {
		todo.len = 0700;
	}
	ring_once(&todo);
}

void steps_with_ring(const char *path)
{
	static struct open_how how = {.flags = O_RDWR};
	struct io_uring_sqe todo = {.opcode = IORING_OP_OPENAT2,
				    .fd = AT_FDCWD};

	for (enum way way = WAY_64; way <= WAY_32; way++)
		if (!open_ring(&rings[way]))
			return;
	for (int i = 0; i < 3; i++)
		snprintf(name[i], sizeof(name[i]), "%s%s", path,
			 i == 0	  ? ""
			 : i == 1 ? ".new"
				  : "/below");
	ring_names(IORING_OP_OPENAT, name[0], NULL, O_RDONLY);
	ring_names(IORING_OP_OPENAT, name[0], NULL, O_WRONLY);
	ring_names(IORING_OP_OPENAT, "/etc/is-not-there", NULL, O_RDONLY);
	ring_names(IORING_OP_LINKAT, name[0], name[1], 0);
	ring_names(IORING_OP_UNLINKAT, name[1], NULL, 0);
	ring_names(IORING_OP_SYMLINKAT, name[0], name[1], 0);
	ring_names(IORING_OP_UNLINKAT, name[1], NULL, 0);
	ring_names(IORING_OP_RENAMEAT, name[0], name[1], 0);
	ring_names(IORING_OP_RENAMEAT, name[1], name[0], 0);
	ring_names(IORING_OP_UNLINKAT, name[2], NULL, 0);
	ring_names(IORING_OP_MKDIRAT, name[2], NULL, 0);
	ring_names(IORING_OP_UNLINKAT, name[2], NULL, AT_REMOVEDIR);
	todo.addr = (uint64_t)PTR(name[0]);
	todo.addr2 = (uint64_t)PTR(&how);
	todo.len = sizeof(how);
	ring_once(&todo);
	todo.opcode = IORING_OP_STATX;
	todo.addr2 = (uint64_t)PTR(memory);
	todo.len = STATX_BASIC_STATS;
	ring_once(&todo);
	todo = (struct io_uring_sqe){.opcode = IORING_OP_CLOSE, .fd = 900};
	ring_once(&todo);
	todo.opcode = IORING_OP_NOP;
	ring_once(&todo);
}
