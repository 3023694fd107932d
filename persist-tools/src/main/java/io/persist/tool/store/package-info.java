/**
 * The tools for stores: get, scan, stats, checkpoint and compact.
 *
 * <pre>
 *   a StorePlace --→ StoreView (core): an index of its own --→ StoreGetTool, StoreScanTool
 *                                                          --→ StoreNumbers --→ text, JSON, the names of ARCUS
 *   a StorePlace --→ StoreLogger (core), with the writer's lock --→ StoreUpkeepTool: checkpoint, compact
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.tool.store;

import org.jspecify.annotations.NullMarked;
