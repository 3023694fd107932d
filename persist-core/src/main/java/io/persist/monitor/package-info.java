/**
 * What can be seen of a log in use, by its own process or by another one: what it has counted, and whether it has a
 * writer. {@link io.persist.LogMonitor} reads both.
 *
 * <pre>
 *   appender ─┐
 *   syncer   ─┤ count into a page of the control file ─▶ Counter by Counter ─▶ LogStatistics   any thread, any process
 *   filler   ─┘
 *   control file and lock ─▶ WriterState
 * </pre>
 */
@NullMarked
package io.persist.monitor;

import org.jspecify.annotations.NullMarked;
