package io.persist.shard.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompareAndSetsTest {

    private static final DataSet SMALL = new DataSet(64, 1024, 8);

    /** Else a database that compresses has 27 times as much to write bare as below a shard. */
    @Test
    void shouldSetWhatCompressesAsTheRecordsOfAWrite() throws Exception {
        List<byte[]> set = new ArrayList<>();
        ForwardingConsensus keeping = new ForwardingConsensus(new MemConsensus()) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                set.add(next.data());
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public void close() {}
        };
        try (Place place = new Place("test", new MemBlob(), keeping, List.of(), List.of())) {
            for (Benchmark benchmark : new Benchmark[] {Benchmark.BARE_WRITE, Benchmark.CAS}) {
                set.clear();
                try (Benchmark.Body body = benchmark.open(place, SMALL)) {
                    body.run(ns -> {});
                    assertThat(set).hasSize(1);
                    assertThat(set.get(0)).hasSizeGreaterThan(8 * 1024);
                    assertThat(deflated(set.get(0))).isLessThan(set.get(0).length / 20);
                }
            }
        }
    }

    /** It is told as what it is, so that the program can say that it has no memory. */
    @Test
    void shouldEndWithWhatHasEndedOneOfSeveralThreads() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one thread");
        OutOfMemoryError full = new OutOfMemoryError("of a test");
        ForwardingConsensus dying = new ForwardingConsensus(new MemConsensus()) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                if (next.number() == 2) {
                    throw full;
                }
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public void close() {}
        };
        try (Place place = new Place("test", new MemBlob(), dying, List.of(), List.of())) {
            Benchmark.Body body = Benchmark.CAS_PER_CPU.open(place, SMALL);
            body.run(ns -> {});
            assertThatThrownBy(() -> body.run(ns -> {})).isSameAs(full);
        }
    }

    private static int deflated(byte[] bytes) {
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        int length = deflater.deflate(new byte[2 * bytes.length]);
        deflater.end();
        return length;
    }
}
