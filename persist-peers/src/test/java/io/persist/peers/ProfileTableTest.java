package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.profile.Kind;
import io.persist.peers.profile.Profile;
import io.persist.peers.profile.Profile.Count;
import io.persist.peers.profile.SampledEvent;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How profiles look. */
class ProfileTableTest {

    private static final Trial TRIAL = new Trial("rocksdb", Mode.BUFFERED, 1, 0, 1, 1, 1, 1, 256, 1, "").profiled();

    private static List<String> lines(Profile profile) {
        return new ProfileTable(TRIAL, profile, Path.of("profiles", "x.html")).lines();
    }

    @Test
    void shouldShowSharesByKindAndTheFramesMostOftenSeen() {
        Profile profile = new Profile(
                SampledEvent.CPU_CLOCK,
                2000,
                Map.of(Kind.DEVICE, 1500L, Kind.JOURNAL, 499L, Kind.CHECKSUM, 1L),
                List.of(new Count("org/rocksdb/RocksDB.put", 400), new Count("a/B.c", 99)),
                List.of(
                        new Count("ext4_write_[k]", 1400),
                        new Count("librocksdbjni14040100047683951989.so", 300),
                        new Count("std::map<" + "x".repeat(100) + ">", 200)));

        assertThat(lines(profile))
                .containsExactly(
                        "### Profile: buffered, rocksdb",
                        "",
                        "2,000 samples of the measuring threads: CPU time, every 0.2 ms. Flame graph: profiles/x.html",
                        "",
                        "| at                              |  share |",
                        "|---------------------------------|-------:|",
                        "| checksum                        |  0.1 % |",
                        "| copy and fill                   |  0.0 % |",
                        "| page faults and mapping         |  0.0 % |",
                        "| device and system calls         | 75.0 % |",
                        "| locks and waits for threads     |  0.0 % |",
                        "| journal code                    | 25.0 % |",
                        "| - RocksDB.put                   | 20.0 % |",
                        "| - B.c                           |  5.0 % |",
                        "| the rest: benchmark, clock, JVM |  0.0 % |",
                        "",
                        "| innermost frame                                                        |  share |",
                        "|------------------------------------------------------------------------|-------:|",
                        "| ext4_write_[k]                                                         | 70.0 % |",
                        "| librocksdbjni….so                                                      | 15.0 % |",
                        "| std::map<" + "x".repeat(60) + "… | 10.0 % |",
                        "");
    }

    @Test
    void shouldShowTheFirstOfManyAndNoTableOfNothing() {
        List<Count> many = Collections.nCopies(20, new Count("a/B.c", 1));
        assertThat(lines(new Profile(SampledEvent.WALL, 20, Map.of(Kind.JOURNAL, 20L), many, many)))
                .filteredOn(line -> line.contains("B.c"))
                .hasSize(5 + 8);
        assertThat(lines(new Profile(SampledEvent.CTIMER, 0, Map.of(), List.of(), List.of())))
                .hasSize(4)
                .element(2)
                .asString()
                .startsWith("0 samples")
                .contains("Kernel frames are missing, since perf_event_open is not allowed");
    }
}
