package io.persist.archive;

import io.persist.archive.source.SourceStorage;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.control.NewControlBlock;
import io.persist.log.LogContent;
import io.persist.log.control.NewLogHold;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * An archive of a log's sealed segments, to take them away from the log: a zip file, or a directory. What is to go on
 * as a log needs a {@code Backup}. It is there as a whole or not at all: a zip file gets its name, and a directory its
 * manifest, when everything has been synced.
 *
 * <p><b>Threads:</b> one at a time for each archive.
 */
public final class Archive {

    private interface SinkOpener {
        ArchiveSink open() throws IOException;
    }

    private final String description;
    private final SinkOpener sink;
    private final ArchiveSource source;

    private Archive(String description, SinkOpener sink, ArchiveSource source) {
        this.description = description;
        this.sink = sink;
        this.source = source;
    }

    /** The zip file {@code name} in {@code storage}. */
    public static Archive zip(Storage storage, String name) {
        return new Archive(
                storage.description() + "/" + name, () -> new ZipSink(storage, name), ArchiveSource.zip(storage, name));
    }

    /** The directory of {@code storage}; tools read the log in it as it is. */
    public static Archive directory(Storage storage) {
        return new Archive(storage.description(), () -> sink(storage), ArchiveSource.directory(storage));
    }

    private static ArchiveSink sink(Storage storage) throws IOException {
        NewLogHold.requireEmpty(storage);
        return new DirectorySink(storage);
    }

    /**
     * Packs the sealed segments of {@code log} that are synced: those before the segment in which it goes on, as far as
     * no power cut can take them. Every record is verified on the way. The log may be written meanwhile. If something
     * goes wrong nothing is left of the archive.
     *
     * @return what was packed; without segments if none is sealed and synced, and then there is no archive
     * @throws CorruptLogException if a segment is damaged
     * @throws RetiredException if a segment is taken away on the way
     * @throws LogIOException if there is no log, the archive exists already, or a file cannot be read or written
     */
    public ArchiveManifest pack(Storage log) {
        Storage source = new SourceStorage(log);
        return pack(source, Segments.of(source).sealed());
    }

    /**
     * The same without the segment of the last record, which retention never takes away: so that archives whose
     * segments are taken away one after the other have no segment twice.
     */
    public ArchiveManifest packRetirable(Storage log) {
        Storage source = new SourceStorage(log);
        return pack(source, Segments.of(source).retirable());
    }

    /**
     * The same without the segments that end at or before {@code fromPosition}: where the archive before this one ends.
     * So both together have all that was sealed and synced, and no segment twice.
     *
     * @throws RetiredException if records from there on are gone already
     * @throws IllegalArgumentException if it is below 0, or the log ends before it
     */
    public ArchiveManifest pack(Storage log, long fromPosition) {
        Storage source = new SourceStorage(log);
        return pack(source, Segments.of(source).sealedFrom(fromPosition));
    }

    private ArchiveManifest pack(Storage log, NavigableSet<Long> sealed) {
        try {
            if (sealed.isEmpty()) {
                return new ArchiveManifest(0, LogContent.MESSAGES, List.of());
            }
            try (ArchiveSink files = sink.open()) {
                SegmentPacker packer = new SegmentPacker(log, files);
                for (long base : sealed) {
                    packer.pack(base);
                }
                ArchiveManifest manifest = packer.manifest();
                files.begin(ArchiveManifest.NAME).write(manifest.encode());
                files.end();
                files.commit();
                return manifest;
            }
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot archive to " + description + ": " + e.getMessage(), e);
        }
    }

    /**
     * The segments of a log at one moment.
     *
     * @param bases where they begin
     * @param lastEnd where the last of them ends
     * @param synced up to where no power cut takes anything
     */
    private record Segments(NavigableSet<Long> bases, long lastEnd, LogEnd end, long synced) {

        static Segments of(Storage log) {
            ScanFindings now = new LogInspector(log).inspect(Start.TRUSTED).findings();
            if (now.row().decision() == Decision.CORRUPT) {
                throw now.corruption();
            }
            return FileAction.orFail("cannot read the log", () -> {
                NavigableSet<Long> bases = LogFiles.basePositions(log);
                long lastEnd = bases.isEmpty() ? 0 : endOf(log, bases.last());
                return new Segments(bases, lastEnd, now.end(), now.proof().synced());
            });
        }

        private static long endOf(Storage log, long base) throws IOException {
            try (SegmentView segment = SegmentView.open(log, base)) {
                return segment.damage() == null ? segment.header().endPosition() : Long.MAX_VALUE;
            } catch (FileNotFoundException prepared) { // for later, and gone by now
                return Long.MAX_VALUE;
            }
        }

        /**
         * Those that stay as they are. What a power cut takes out of a segment that is not synced the log writes anew
         * with other records, which no later archive would have.
         */
        NavigableSet<Long> sealed() {
            long position = Math.min(end.tail(), synced);
            NavigableSet<Long> sealed = new TreeSet<>(before(position));
            if (!bases.isEmpty() && lastEnd <= position) {
                sealed.add(
                        bases.last()); // the log goes on in a segment that is not there yet, as in a restored archive
            }
            return sealed;
        }

        /** Those of them that lie before the segment of the last record. */
        NavigableSet<Long> retirable() {
            return before(Math.min(end.lastPosition(), synced));
        }

        private NavigableSet<Long> before(long position) {
            Long last = bases.floor(position);
            return last == null ? new TreeSet<>() : bases.headSet(last, false);
        }

        NavigableSet<Long> sealedFrom(long position) {
            if (position < 0) {
                throw new IllegalArgumentException(
                        "fromPosition=" + position + ": a log begins at 0; archive from there");
            }
            if (position > end.tail()) {
                throw new IllegalArgumentException("the log ends at " + end.tail() + ", before fromPosition=" + position
                        + ": it went back, or the archive before is another log's; archive all of it");
            }
            Long first = bases.floor(position);
            if (first == null) {
                throw new RetiredException("records are gone: fromPosition=" + position + ", first="
                        + (bases.isEmpty() ? 0 : bases.first()) + "; archive from there, and know that there is a gap");
            }
            boolean isAtEnd = first.equals(bases.last()) && lastEnd <= position; // no segment is behind it yet
            return sealed().tailSet(first, !isAtEnd);
        }
    }

    /**
     * Compares the archive with its manifest: that all files are there and no others, and each byte of them.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not an archive, or a newer version wrote it
     * @throws CorruptLogException if they differ
     * @throws LogIOException if the archive cannot be read
     */
    public ArchiveManifest verify() {
        return restorer().verify();
    }

    private Restorer<ArchiveManifest> restorer() {
        return new Restorer<>("archive", description, this::read);
    }

    /** The segments, and a control block, which an archive has not: it says how far the restored log goes. */
    private ArchiveManifest read(ArchiveReader.Opener opener, ArchiveReader.Ending ending) throws IOException {
        ArchiveManifest manifest = new ArchiveReader(source, opener, ending).read();
        opener.begin(LogFileName.CONTROL).write(NewControlBlock.encodeSynced(manifest.logId(), manifest.endPosition()));
        ending.end();
        return manifest;
    }

    /**
     * Unpacks the archive into an empty directory, which then holds a log that begins and ends where the archive does.
     * Before the first byte is written all of the archive has been compared with its manifest, and the directory has
     * space for it: a small zip file can hold very much. If something goes wrong nothing is left there. The directory
     * is held from beginning to end as by a writer, so that none opens a log there meanwhile.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not an archive, or a newer version wrote it
     * @throws CorruptLogException if the archive differs from its manifest
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws LogIOException if the directory is not empty, or too small, or something cannot be read or written
     */
    public ArchiveManifest restore(Storage target) {
        return restorer().restore(target);
    }

    /**
     * The same into a directory at {@code target}, which is made, if it is not there, once all of the archive has been
     * compared.
     */
    public ArchiveManifest restore(Path target) {
        return restorer().restore(target);
    }
}
