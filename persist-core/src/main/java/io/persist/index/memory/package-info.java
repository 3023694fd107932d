/**
 * Where the nodes of the index lie: frames in chunks of direct memory, or only in a checkpoint.
 *
 * <pre>
 *    IndexMemory: gives out, takes back, reads, evicts --→ NodeSource: the checkpoint
 *         |    FrameClock: which node goes    NodeStates: which may go
 *         v
 *    FrameTable: node → frame, version ←-- NodeView, LiveView: readers without the lock
 *         |
 *    FrameMemory: frames in NodeChunks        SpareChunk: one ahead    ChunkEmptier: the last one is not needed
 *         |
 *    ProcessChunks: the chunks of all indexes, of which each has a ChunkShare
 *         |
 *    ChunkDivision: how many are for each
 *    threads: the one with the lock changes it; views are any thread's
 * </pre>
 */
@NullMarked
package io.persist.index.memory;

import org.jspecify.annotations.NullMarked;
