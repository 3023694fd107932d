/** What archives and backups are made of: the files of a log as they are read. */
@NullMarked
package io.persist.archive.source;

import org.jspecify.annotations.NullMarked;
