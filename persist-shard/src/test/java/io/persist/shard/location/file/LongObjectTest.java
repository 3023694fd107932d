package io.persist.shard.location.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** An object of the greatest length that an array can have, without that array. */
class LongObjectTest {

    private static final int LENGTH = Integer.MAX_VALUE - 8;
    private static final byte[] NONE = {};

    /** One that is asked for its bytes in order. */
    private static final class InOrder implements StorageFile {

        private long end;

        private int next(long offset, int length) {
            assertThat(offset).isEqualTo(end);
            assertThat(length).isPositive();
            end += length;
            return length;
        }

        @Override
        public long length() {
            return LENGTH;
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) {
            return next(offset, length);
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) {
            next(offset, length);
        }

        @Override
        public void sync() {}

        @Override
        public Mapping map(int length) throws IOException {
            throw new IOException("not for objects");
        }

        @Override
        public void close() {}
    }

    private final InOrder file = new InOrder();

    @Test
    void shouldBeReadToItsEnd() throws IOException {
        FileBlob.readFully(file, NONE, LENGTH);
        assertThat(file.end).isEqualTo(LENGTH);
    }

    @Test
    void shouldBeWrittenToItsEnd() throws IOException {
        FileBlob.write(file, NONE, 0, LENGTH);
        assertThat(file.end).isEqualTo(LENGTH);
    }
}
