/**
 * Aeron Archive in this process.
 *
 * <pre>
 *    AeronProducer --→ AeronRecording: publication, what the archive has of it --→ AeronNode: driver and archive
 *    AeronReader   ←-- it, or a replay by its AeronExtent                          AeronDirectory: their shared memory
 *    threads: one for all work of the driver, one for that of the archive
 * </pre>
 */
@NullMarked
package io.persist.peers.engine.aeron;

import org.jspecify.annotations.NullMarked;
