/** What can go wrong: one sealed family of unchecked exceptions. Each message says the value and what to do. */
@NullMarked
package io.persist.error;

import org.jspecify.annotations.NullMarked;
