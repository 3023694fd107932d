/** The numbers of logs and stores as meters of Micrometer. */
@NullMarked
package io.persist.micrometer;

import org.jspecify.annotations.NullMarked;
