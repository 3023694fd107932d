/**
 * Memory with a catch: buffers that are lent and used again, mapped pages, which are gone when another program has cut
 * their file, and fields that threads share. No files of its own, no threads.
 *
 * <pre>
 *   ReusedBuffer   an array or direct memory, used again, grows as needed
 *   GuardBytes     tell whether more was filled than there was to fill
 *   LentBytes      a view that ends with the next call
 *   PageProbe      is a mapped page still there?
 *   MissingPage    asks the JVM for the error of an access to one that is not
 *   CheckedCopy    a copy of a caller's buffer, which is read here or not at all
 *   FieldHandle    the handle of a field, for a compare-and-set of it
 *   MappedCrc      a checksum over mapped bytes, which fails as reading them would
 * </pre>
 */
@NullMarked
package io.persist.memory;

import org.jspecify.annotations.NullMarked;
