/**
 * Processes that belong to this one: started with its flags and its class path, watched, and gone when it goes.
 *
 * <pre>
 *    ChildJvm: starts, waits  --→  (JVM) ChildMain: runs, says why it failed --→ ChildFailure
 *              --→ StartedProcesses      ParentWatch: ends it with its parent
 *    threads: one, of the child, that watches
 * </pre>
 */
@NullMarked
package io.persist.peers.trial.process;

import org.jspecify.annotations.NullMarked;
