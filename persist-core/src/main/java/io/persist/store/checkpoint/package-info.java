/**
 * The index in a file: written while commits go on, and read when it is needed. A table says from which checkpoint a
 * store is opened.
 *
 * <pre>
 *    IndexImage --→ Checkpointer --→ CheckpointWriter --→ checkpoint-*.chk   (two chains are kept: Checkpoints, Chains)
 *    of a moment                                                |
 *                  CheckpointFit: facts  ←-- CheckpointChain ←--+
 *                        |
 *                  CheckpointTable: USE, SKIP, REFUSE --→ StoreLoader: nodes as needed, the log --→ StoreState
 *    threads: one writes; to open, the one that opens; any reads nodes
 * </pre>
 */
@NullMarked
package io.persist.store.checkpoint;

import org.jspecify.annotations.NullMarked;
