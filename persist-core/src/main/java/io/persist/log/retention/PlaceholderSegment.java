package io.persist.log.retention;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.RetentionPlan;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.List;

/**
 * Takes the records of a segment in the middle of the log away. A file of the same length takes its place. It holds
 * only the seal, and the file system keeps only its first and its last block. So the segments still follow each other,
 * and a reader of the log only has to allow that sequences jump there.
 */
final class PlaceholderSegment {

    private final Storage storage;
    private final LogNeeds needs;
    private final SecureRandom random = new SecureRandom();

    PlaceholderSegment(Storage storage, LogNeeds needs) {
        this.storage = storage;
        this.needs = needs;
    }

    /** As {@code Log.vacate} says; {@code synced} is the end of what is synced. */
    boolean vacate(long basePosition, long synced) throws IOException {
        SegmentHeader header;
        long sealedAtMs;
        long sequence;
        try (SegmentView segment = SegmentView.open(storage, basePosition)) {
            header = segment.intact().header();
            if (header.endPosition() > synced) {
                throw new IllegalArgumentException(
                        "segment is not synced: basePosition=" + basePosition + ", synced=" + synced);
            }
            FrameWalk seal = segment.seal();
            if (seal == null) {
                throw new CorruptLogException(
                        LogFileName.segment(basePosition), basePosition, "the segment's seal cannot be reached");
            }
            sealedAtMs = seal.sealTimeMs();
            sequence = seal.sequence();
        }
        if (header.isVacated()) {
            return true;
        }
        RetentionPlan.Item whole = new RetentionPlan.Item(
                LogFileName.segment(basePosition), basePosition, header.endPosition(), sealedAtMs);
        return needs.take(List.of(whole), item -> replace(header, sequence, item.sealedAtMs()))
                .isEmpty();
    }

    /** The new file is whole and synced before it takes the name, so that there is a segment at any moment. */
    private void replace(SegmentHeader old, long sequence, long sealedAtMs) throws IOException {
        SegmentHeader header = new SegmentHeader(
                old.basePosition(),
                old.segmentLength(),
                random.nextLong(),
                old.logId(),
                old.createdAtMs(),
                old.content(),
                old.flags() | SegmentHeader.FLAG_VACATED);
        byte[] start = start(header, sequence, sealedAtMs);
        String name = LogFileName.segment(old.basePosition());
        String temporary = name + LogFileName.TEMPORARY_SUFFIX;
        if (storage.list().contains(temporary)) {
            storage.delete(temporary); // what an attempt has left that failed
        }
        try {
            try (StorageFile file = storage.create(temporary)) {
                file.write(0, start, 0, start.length, WriteThrough.NONE);
                file.write(old.segmentLength() - 1L, new byte[1], 0, 1, WriteThrough.NONE);
                file.sync();
            }
            storage.rename(temporary, name);
        } catch (IOException e) {
            LogFiles.discard(storage, temporary, e); // a full disk has no block to spare for it
            throw e;
        }
        storage.syncDirectory();
    }

    private static byte[] start(SegmentHeader header, long sequence, long sealedAtMs) {
        byte[] bytes = new byte[SegmentHeader.LENGTH + Frame.SEAL_LENGTH];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(0, header.encode());
        byte[] time = Frame.sealPayload(sealedAtMs);
        long state = Frame.stateWord(Frame.UNSYNCED_UNKNOWN, Frame.TYPE_SEAL, (byte) 0);
        FrameWriter frames = new FrameWriter(buffer);
        frames.moveTo(buffer, header.salt(), header.basePosition());
        frames.put(SegmentHeader.LENGTH, sequence, state, time, 0, time.length);
        frames.publish(SegmentHeader.LENGTH, Frame.SEAL_LENGTH);
        return bytes;
    }
}
