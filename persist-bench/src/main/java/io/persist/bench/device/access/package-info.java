/**
 * The ways to reach a file that plain Java has, and the list of all: those of other modules too.
 *
 * <pre>
 *   DeviceEngines --→ ChannelAccess  RandomFileAccess  MappedAccess (one by one)  AsyncAccess (a queue)
 *        ↑ EngineProvider, by ServiceLoader
 *   threads: the one that measures a file; AsyncAccess has a pool
 * </pre>
 */
@NullMarked
package io.persist.bench.device.access;

import org.jspecify.annotations.NullMarked;
