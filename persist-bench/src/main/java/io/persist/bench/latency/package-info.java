/**
 * Times on their way from the threads that take them to tables and files: an operation's times go through a
 * {@link io.persist.bench.latency.LatencyRing} to the thread of the {@link io.persist.bench.latency.LatencyRecorder},
 * which counts them in {@link io.persist.bench.latency.LatencySeries}.
 */
@NullMarked
package io.persist.bench.latency;

import org.jspecify.annotations.NullMarked;
