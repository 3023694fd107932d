/**
 * The events that Persist gives to the JDK's Flight Recorder. Each class here is the event's entry point and can be
 * used without Flight Recorder: then, and while nobody records the event, it costs a look at a field and allocates
 * nothing. What is recorded are nested classes, which are loaded only where the module {@code jdk.jfr} is present.
 *
 * <p>All have one shape. What takes time is begun and ended:
 *
 * <pre>
 *   SyncEvent event = SyncEvent.begin();            null if nobody records it
 *   …
 *   SyncEvent.end(event, directory, from, to, n);   takes that null; one that is never ended is not recorded
 * </pre>
 *
 * <p>What just happens has {@code record(...)}. The log's directory comes first, then what the event tells. Inside of
 * the class, {@code Recorded} is the event as Flight Recorder has it: its {@code commit()} ends it, and records it if
 * it took long enough. {@code PROBE} is one that is only asked whether events of its kind are recorded. {@code
 * LogEvent} has fields only: Flight Recorder of JDK 17 fails if a common superclass calls {@code end()} or {@code
 * commit()}.
 *
 * <p>{@code Notices} is the way to the application's logging. {@code OpeningProgress} and {@code RepeatedFailure} say
 * there what goes on for long.
 */
@NullMarked
package io.persist.event;

import org.jspecify.annotations.NullMarked;
