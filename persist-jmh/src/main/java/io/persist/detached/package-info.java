/** The benchmark of what is private to the queue of a detached logger. Like the others not {@code @NullMarked}. */
package io.persist.detached;
