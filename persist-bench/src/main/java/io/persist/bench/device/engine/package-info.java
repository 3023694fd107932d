/**
 * What a way to reach a file is: an engine opens an access, which reads or writes one block after another as a cell of
 * the device benchmark asks.
 *
 * <pre>
 *   DeviceEngine --open(AccessSpec)--→ Access: begin(Request), await()
 *   EngineProvider: engines of other modules, which have native libraries
 *   Offsets, Noise: where the blocks are, and what is in them
 *   threads: the one that measures a file
 * </pre>
 */
@NullMarked
package io.persist.bench.device.engine;

import org.jspecify.annotations.NullMarked;
