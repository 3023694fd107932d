/**
 * Coverage-guided fuzzing: hostile files are made of an input's bytes, and everything of Persist that reads files is
 * let loose on them. {@link io.persist.fuzz.FuzzInput} says what the bytes mean, {@link io.persist.fuzz.Target} what is
 * done, and CONTRIBUTING.md how a finding is repeated.
 */
@NullMarked
package io.persist.fuzz;

import org.jspecify.annotations.NullMarked;
