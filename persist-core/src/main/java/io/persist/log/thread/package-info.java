/**
 * What all rooms need to go on safely when several threads meet: the threads of the library, the lock they share, the
 * way to close what another thread is using, and what keeps work in the background to a rate.
 *
 * <pre>
 *   threads of the library             threads of the application, and of the library
 *        |                                  |                        |
 *   LogThread: what it throws          CallingThread: a close    Turn: one at a time,
 *   ends the log, and nothing          waits until the caller    also if an error comes
 *   is lost                            has left                  in between
 *        |
 *   Pace: what work has cost; Throttle waits by a rate
 *
 *   FreeStack: room for rare work, looked for before it begins
 * </pre>
 */
@NullMarked
package io.persist.log.thread;

import org.jspecify.annotations.NullMarked;
