/**
 * The LMAX Disruptor in place of Persist's queue, by JMH. {@code bin/persist jmh Producers} runs it beside the
 * benchmark of the queue.
 *
 * <p>The package is not {@code @NullMarked}: JMH fills the fields of a state in methods that NullAway does not know.
 */
package io.persist.peers.handoff;
