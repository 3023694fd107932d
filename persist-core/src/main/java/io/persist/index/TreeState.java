package io.persist.index;

/**
 * Which tree the nodes of an index are.
 *
 * @param root the id of its root
 * @param height its levels, 1 for one leaf
 * @param size how many keys it has
 * @param version of its nodes no one has a greater one
 */
public record TreeState(int root, int height, long size, long version) {}
