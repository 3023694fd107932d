/**
 * One node of the index: a page of 4 KiB, what is in it, and how it is searched, changed, split and merged. Where it
 * lies is the matter of {@code index.memory}.
 *
 * <pre>
 *       Node: slots, heap, prefix  ←-- NodeSearch, NodeInsert, NodeShare, NodeMerge
 *         |                             NewNodes: gives one more for a split
 *      KeyBuffer: a key, compared 8 bytes at a time
 *    threads: one at a time; to search a snapshot's nodes, any
 * </pre>
 */
@NullMarked
package io.persist.index.node;

import org.jspecify.annotations.NullMarked;
