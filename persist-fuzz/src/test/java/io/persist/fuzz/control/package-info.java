/** What the fuzzer has to find. */
@NullMarked
package io.persist.fuzz.control;

import org.jspecify.annotations.NullMarked;
