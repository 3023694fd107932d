package io.persist.support;

import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The smallest log that can be right, for tests of tests: one file of zeros, in which each record has its length, and a
 * checksum if wanted. What follows the last good record is zeroed when it is opened.
 */
final class BareLog implements AutoCloseable {

    /** Whether a torn record can be told from a whole one. */
    enum Checksum {
        NONE,
        CRC32C
    }

    private static final String NAME = "bare";
    private static final int LENGTH = 6144;
    private static final int HEADER = 8;

    private final List<byte[]> records = new ArrayList<>();
    private final Checksum checksum;
    private final StorageFile file;
    private int end;

    BareLog(Storage storage, Checksum checksum) throws IOException {
        this.checksum = checksum;
        if (!storage.list().contains(NAME)) {
            make(storage);
        }
        storage.syncDirectory(); // a name that an earlier life has given may not have been synced by it
        this.file = storage.open(NAME, Access.WRITE);
        try {
            recover();
        } catch (IOException | RuntimeException | Error failure) {
            file.close();
            throw failure;
        }
    }

    private static void make(Storage storage) throws IOException {
        String temporary = NAME + ".tmp";
        if (storage.list().contains(temporary)) {
            storage.delete(temporary);
        }
        try (StorageFile made = storage.create(temporary)) {
            made.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
            made.sync();
        }
        storage.rename(temporary, NAME);
    }

    private void recover() throws IOException {
        byte[] bytes = new byte[LENGTH];
        file.read(0, bytes, 0, LENGTH);
        ByteBuffer content = ByteBuffer.wrap(bytes);
        while (LENGTH - end >= HEADER) {
            int length = content.getInt(end);
            if (length <= 0 || length > LENGTH - end - HEADER) {
                break;
            }
            byte[] record = new byte[length];
            content.get(end + HEADER, record);
            if (content.getInt(end + 4) != sum(record)) {
                break;
            }
            records.add(record);
            end += HEADER + length;
        }
        file.write(end, new byte[LENGTH - end], 0, LENGTH - end, WriteThrough.NONE);
        file.sync();
    }

    private int sum(byte[] record) {
        if (checksum == Checksum.NONE) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        crc.update(record);
        return (int) crc.getValue();
    }

    void append(byte[] record) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + record.length);
        frame.putInt(record.length).putInt(sum(record)).put(record);
        file.write(end, frame.array(), 0, frame.capacity(), WriteThrough.NONE);
        records.add(record);
        end += frame.capacity();
    }

    void sync() throws IOException {
        file.sync();
    }

    List<byte[]> records() {
        return List.copyOf(records);
    }

    @Override
    public void close() {
        file.close();
    }
}
