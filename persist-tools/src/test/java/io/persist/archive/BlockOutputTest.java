package io.persist.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.archive.Restorer.BlockCount;
import io.persist.file.StorageFile;
import io.persist.support.ForwardingFile;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files of which the zeros are left out read the same. */
class BlockOutputTest {

    private static final int BLOCK_LENGTH = 4096;

    private final CrashableStorage storage = new CrashableStorage();

    private static final class CountedFile implements ForwardingFile {

        private final StorageFile file;
        private long written;

        CountedFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public StorageFile file() {
            return file;
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            written += length;
            file.write(offset, source, from, length, through);
        }
    }

    private CountedFile create() throws IOException {
        return new CountedFile(storage.create("file"));
    }

    @Test
    void shouldWriteNoBlocksOfZeros() throws IOException {
        byte[] placeholder = new byte[256 * BLOCK_LENGTH];
        placeholder[0] = 1;
        placeholder[placeholder.length - 10] = 1;
        BlockCount count = new BlockCount();
        count.file().write(placeholder);
        try (CountedFile file = create()) {
            StorageOutput out = new StorageOutput(file);
            out.write(placeholder);
            out.flush();
            assertThat(file.written).isEqualTo(2 * BLOCK_LENGTH);
            assertThat(count.bytes()).isEqualTo(2 * BLOCK_LENGTH);
        }
        assertThat(storage.content("file")).isEqualTo(placeholder);
    }

    @Test
    void shouldGiveAFileOfZerosItsLength() throws IOException {
        try (CountedFile file = create();
                StorageOutput out = new StorageOutput(file)) {
            out.write(new byte[3 * BLOCK_LENGTH]);
            out.flush();
            out.flush();
            assertThat(file.length()).isEqualTo(3 * BLOCK_LENGTH);
            assertThat(file.written).isEqualTo(1);
            out.write(7);
            out.flush();
            assertThat(file.length()).isEqualTo(3 * BLOCK_LENGTH + 1);
        }
    }

    /** Pieces of any length, with zeros here and there, each time from another index of an array. */
    @Test
    void shouldWriteWhatItIsGiven() {
        Seeds.run(50, seed -> writeAnything(new Random(seed)));
    }

    private void writeAnything(Random random) throws IOException {
        byte[] content = new byte[random.nextInt(20 * BLOCK_LENGTH)];
        random.nextBytes(content);
        for (int i = random.nextInt(6); i > 0; i--) {
            int from = random.nextInt(content.length + 1);
            Arrays.fill(content, from, from + random.nextInt(content.length - from + 1), (byte) 0);
        }
        try (CountedFile file = create();
                OutputStream out = new StorageOutput(file)) {
            for (int done = 0; done < content.length; ) {
                int length = Math.min(content.length - done, 1 + random.nextInt(3 * BLOCK_LENGTH));
                int from = random.nextInt(9);
                byte[] piece = new byte[from + length];
                System.arraycopy(content, done, piece, from, length);
                out.write(piece, from, length);
                done += length;
            }
            out.flush();
        }
        assertThat(storage.content("file")).isEqualTo(content);
        storage.delete("file");
    }
}
