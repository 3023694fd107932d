package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

class EngineKindTest {

    private static final Pattern PEER = Pattern.compile(".+ \\d+(\\.\\d+)+");

    @Test
    void shouldSayTheVersionOfEachPeer() {
        for (String id :
                new String[] {"chronicle", "aeron", "artemis-nio", "artemis-mapped", "artemis-aio", "rocksdb", "sqlite"
                }) {
            assertThat(Engines.byId(id).orElseThrow().library()).matches(PEER);
        }
    }

    /** The build unpacks its native library from the jar, where no JVM finds it. */
    @Test
    void shouldRunArtemisByLibaioWhereThatIs() {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "its library is for x86-64");
        Stream<Path> places = Stream.of("/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64")
                .map(Path::of);
        assumeTrue(places.anyMatch(each -> Files.exists(each.resolve("libaio.so.1"))), "no libaio");
        assertThat(Engines.byId("artemis-aio").orElseThrow().missing().get()).isEmpty();
    }

    @Test
    void shouldSayTheVersionThatRocksdbHas() {
        RocksDB.loadLibrary();
        assertThat(RocksEngine.VERSION).hasToString(String.valueOf(RocksDB.rocksdbVersion()));
    }
}
