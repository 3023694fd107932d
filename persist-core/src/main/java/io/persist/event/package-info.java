/**
 * The events that Persist gives to the JDK's Flight Recorder. Each class here is the event's entry point and can be
 * used without Flight Recorder: then, and while nobody records the event, it costs a look at a field and allocates
 * nothing. What is recorded are nested classes, which are loaded only where the module {@code jdk.jfr} is present.
 *
 * <p>An event that takes time is begun with {@code begin()}, which returns null if nobody records it, and recorded with
 * {@code end(...)}, which takes that null. One that is never ended is not recorded.
 */
@NullMarked
package io.persist.event;

import org.jspecify.annotations.NullMarked;
