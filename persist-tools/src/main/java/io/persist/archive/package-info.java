/**
 * Archives: the sealed segments of a log, packed into a zip file or copied into a directory, with a manifest that says
 * what belongs there. And backups: all that is needed to go on with a log or store from one position.
 */
@NullMarked
package io.persist.archive;

import org.jspecify.annotations.NullMarked;
