package io.persist.index;

/**
 * How an index uses its memory, in nodes of 4 KiB.
 *
 * @param most that memory may have, as far as is known
 * @param all of the tree
 * @param inMemory of these
 * @param dirty of the tree that cannot be read again as they are, and so have to be in memory
 * @param read since the index was opened, without those that snapshots have read for themselves
 * @param evicted since the index was opened: they had to give their memory up
 */
public record IndexUse(long most, long all, long inMemory, long dirty, long read, long evicted) {}
