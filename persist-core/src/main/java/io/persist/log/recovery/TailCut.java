package io.persist.log.recovery;

import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.control.WriterHold;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a log at a position: what follows is kept in files aside, then zeroed and synced, so that nothing of it can come
 * back to life behind records that are appended later. Doing it again after an interruption does no harm. What is aside
 * can be read as an {@link AsideFile}.
 */
final class TailCut {

    private static final int CHUNK_LENGTH = 64 << 10;

    private final Storage storage;
    private final LogFiles files;
    private final WriterHold hold;
    private final OpeningProgress progress;
    private final List<String> setAside = new ArrayList<>();

    /** A cut of the log of {@code files}, which {@code hold} holds. */
    TailCut(Storage storage, LogFiles files, WriterHold hold, OpeningProgress progress) {
        this.storage = storage;
        this.files = files;
        this.hold = hold;
        this.progress = progress;
    }

    List<String> setAside() {
        return List.copyOf(setAside);
    }

    /** Cuts the log where its good part ends, as {@code found} says. */
    void cut(ScanFindings found) throws IOException {
        long tail = found.tail();
        long endOfData = found.stop().endOfData();
        for (long base : files.basePositions().tailSet(tail, true).descendingSet()) {
            removeSegment(base, found);
        }
        Long base = files.basePositions().lower(tail);
        if (base != null && endOfData > tail) {
            String name = LogFileName.segment(base);
            try (StorageFile file = storage.open(name, Storage.Access.WRITE)) {
                copyAside(file, base, tail, endOfData);
                zeroOrNote(file, tail - base, endOfData - base);
            }
        }
        storage.syncDirectory();
    }

    /** A whole segment behind the end of the log goes aside under another name, unless nothing is in it. */
    void removeSegment(long base, ScanFindings found) throws IOException {
        boolean hasData;
        try (SegmentView segment = SegmentView.open(storage, base)) {
            hasData = segment.hasData(found.due());
        }
        if (hasData) {
            String aside = asideName(storage, LogFileName.segment(base), Math.max(base, found.tail()));
            storage.rename(LogFileName.segment(base), aside);
            setAside.add(aside);
        } else {
            storage.delete(LogFileName.segment(base));
        }
    }

    private void copyAside(StorageFile file, long base, long from, long to) throws IOException {
        String aside = asideName(storage, LogFileName.segment(base), from);
        try {
            copy(file, base, from, to, aside);
        } catch (IOException
                | InternalError e) { // on a full disk each attempt would leave another part of the evidence
            LogFiles.discard(storage, aside, e);
            throw e;
        }
        storage.syncDirectory();
        setAside.add(aside);
    }

    /** The copy begins with a header of its own: it can be read in any place, even if the log is lost. */
    private void copy(StorageFile file, long base, long from, long to, String aside) throws IOException {
        SegmentHeader header = AsideFile.header(LogFiles.readHeader(storage, file, base), from, to - from);
        try (StorageFile copy = storage.create(aside)) {
            copy.write(0, header.encode(), 0, SegmentHeader.LENGTH, WriteThrough.NONE);
            byte[] chunk = new byte[CHUNK_LENGTH];
            long offset = from - base;
            progress.begin(Step.COPY, from, to);
            while (offset < to - base) {
                progress.at(base + offset);
                int now = file.read(offset, chunk, 0, (int) Math.min(chunk.length, to - base - offset));
                if (now == 0) {
                    break;
                }
                copy.write(offset + base - header.basePosition(), chunk, 0, now, WriteThrough.NONE);
                offset += now;
            }
            int rest = (int) (header.endPosition() - base - offset);
            copy.write(offset + base - header.basePosition(), new byte[rest], 0, rest, WriteThrough.NONE);
            copy.sync();
        }
    }

    private void zeroOrNote(StorageFile file, long from, long to) throws IOException {
        try {
            zero(file, from, to);
        } catch (IOException | InternalError e) {
            // Linux tells once that it could not write a page, also one of long ago; it counts as written from then on.
            hold.noteFailure();
            throw e;
        }
    }

    /** Each write is synced by itself: a sync of the file would write all that the killed writer had left dirty. */
    private void zero(StorageFile file, long from, long to) throws IOException {
        byte[] zeros = new byte[CHUNK_LENGTH];
        progress.begin(Step.ZERO, from, to);
        for (long offset = from; offset < to; offset += zeros.length) {
            progress.at(offset);
            file.overwrite(offset, zeros, (int) Math.min(zeros.length, to - offset));
        }
    }

    /** A name that says what the bytes were and where the log was cut, and that no earlier evidence has. */
    static String asideName(Storage storage, String name, long position) throws IOException {
        List<String> taken = storage.list();
        String stem = name + ".at-" + position;
        int copy = 1;
        while (taken.contains(stem + "." + copy + LogFileName.ASIDE_SUFFIX)) {
            copy++;
        }
        return stem + "." + copy + LogFileName.ASIDE_SUFFIX;
    }
}
