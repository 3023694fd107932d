/** What archives and backups are copied from and to: the files of a log as they are read, and files at a rate. */
@NullMarked
package io.persist.archive.source;

import org.jspecify.annotations.NullMarked;
