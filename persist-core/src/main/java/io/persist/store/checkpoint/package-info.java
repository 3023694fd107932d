/**
 * The index in a file: written while commits go on, and read when the store is opened. A table says which one is used.
 *
 * <pre>
 *    Snapshots --→ Checkpointer --→ CheckpointWriter --→ checkpoint-*.chk   (two are kept: Checkpoints)
 *                                                               |
 *                  CheckpointFit: facts  ←-- CheckpointReader ←-+
 *                        |
 *                  CheckpointTable: USE, SKIP, REFUSE --→ StoreLoader: entries, then the log --→ StoreState
 *    threads: one writes; to open, the one that opens
 * </pre>
 */
@NullMarked
package io.persist.store.checkpoint;

import org.jspecify.annotations.NullMarked;
