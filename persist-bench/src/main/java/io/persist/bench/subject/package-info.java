/**
 * What is measured: each logger behind a {@link io.persist.bench.load.Journal}, and a
 * {@link io.persist.bench.subject.Subject} that says how it is opened, filled and read.
 */
@NullMarked
package io.persist.bench.subject;

import org.jspecify.annotations.NullMarked;
