/**
 * The nodes of the index: pages of 4 KiB in chunks of direct memory, what is in them, and which are free.
 *
 * <pre>
 *    IndexMemory: gives out, takes back --→ NodeChunks: where node n lies
 *         |  NodeList: free ones              SpareChunk: one ahead
 *         v
 *       Node: slots, heap, prefix  ←-- NodeSearch, NodeInsert, NodeShare, NodeMerge
 *         |
 *      KeyBuffer: a key, compared 8 bytes at a time
 *    threads: one at a time; to search a snapshot's nodes, any
 * </pre>
 */
@NullMarked
package io.persist.index.node;

import org.jspecify.annotations.NullMarked;
