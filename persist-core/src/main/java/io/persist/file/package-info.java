/**
 * Bytes on disk: preallocate, map, write, force, rename, lock. The only importer of file APIs, and the seam at which
 * tests inject faults and cut the power.
 */
@NullMarked
package io.persist.file;

import org.jspecify.annotations.NullMarked;
