/**
 * The optional path to the log: any number of threads hand records to a queue, and one thread writes them, with one
 * flush or sync for all that wait.
 */
@NullMarked
package io.persist.detached;

import org.jspecify.annotations.NullMarked;
