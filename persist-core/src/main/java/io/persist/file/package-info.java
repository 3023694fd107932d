/**
 * The seam between the log and its files, at which tests inject faults and cut the power: a directory, its files, what
 * is mapped of them, and the writer's lock; and storages made of others. {@code file.disk} has those of the operating
 * system.
 *
 * <pre>
 *   Storage ──open──→ StorageFile ──map──→ Mapping
 *      └────tryLock─→ WriterLock           PartialStorage, OneFile, ForwardingStorage: a storage seen otherwise
 * </pre>
 */
@NullMarked
package io.persist.file;

import org.jspecify.annotations.NullMarked;
