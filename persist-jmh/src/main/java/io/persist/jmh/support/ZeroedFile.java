package io.persist.jmh.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file of written zeros, as Persist's filler makes its segments: what the bare writers write into. */
public final class ZeroedFile {

    /** Zeros are written by pages, as Persist does: a force writes as much as was written at once. */
    public static final int PAGE_LENGTH = 4096;

    private ZeroedFile() {}

    public static Path create(Path directory, String name, int length) throws IOException {
        Path path = directory.resolve(name);
        byte[] zeros = new byte[PAGE_LENGTH];
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            for (int offset = 0; offset < length; offset += PAGE_LENGTH) {
                file.write(zeros);
            }
            file.getFD().sync();
        }
        return path;
    }
}
