/** An item, byte by byte: its header, its time, and numbers as data. Pure functions; any thread. */
@NullMarked
package io.persist.memcached.item;

import org.jspecify.annotations.NullMarked;
