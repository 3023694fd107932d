/**
 * What is journaled: messages, the content of packets, the keys of a store. And what has to come back when it is read:
 * {@link io.persist.bench.record.Records}.
 */
@NullMarked
package io.persist.bench.record;

import org.jspecify.annotations.NullMarked;
