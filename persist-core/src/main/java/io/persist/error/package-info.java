/** What can go wrong: one sealed family of unchecked exceptions, each of which says the value and the remedy. */
@NullMarked
package io.persist.error;

import org.jspecify.annotations.NullMarked;
