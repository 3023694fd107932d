package io.persist.bench.host;

import io.persist.command.UsageException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Collectors;

/** CPUs by their numbers, as the flag affinity names them. */
public final class CpuSet {

    /** Where Linux lists the CPUs that are switched on. */
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    private static final String FLAG = "--affinity ";
    private static final String FORMS = "; give a mask like 0x3, or a list like [0,1]";

    /** More than any machine has, so that a slip of the finger does not take memory. */
    private static final int MAX_DIGITS = 300;

    private static final int MAX_CPU = 9_999;

    private final BitSet cpus;

    private CpuSet(BitSet cpus) {
        this.cpus = cpus;
    }

    /** The CPUs of a mask, decimal or with 0x, whose lowest bit is CPU 0, or of a list of numbers in brackets. */
    public static CpuSet parse(String text) {
        if (text.length() > MAX_DIGITS) {
            throw new UsageException(FLAG + "with " + text.length() + " characters is too long" + FORMS);
        }
        BitSet cpus = new BitSet();
        if (text.matches("\\[\\d+(,\\d+)*]")) {
            for (String number : text.substring(1, text.length() - 1).split(",")) {
                cpus.set(number(text, number));
            }
        } else if (text.matches("\\d+|0[xX][0-9a-fA-F]+")) {
            boolean hex = text.startsWith("0x") || text.startsWith("0X");
            BigInteger mask = hex ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
            for (int cpu = 0; cpu < mask.bitLength(); cpu++) {
                cpus.set(cpu, mask.testBit(cpu));
            }
        } else {
            throw new UsageException(FLAG + text + " is no CPU mask" + FORMS);
        }
        if (cpus.isEmpty()) {
            throw new UsageException(FLAG + text + " names no CPU" + FORMS);
        }
        return new CpuSet(cpus);
    }

    private static int number(String text, String number) {
        BigInteger cpu = new BigInteger(number);
        if (cpu.bitLength() > 31 || cpu.intValue() > MAX_CPU) {
            throw new UsageException(FLAG + text + " has a CPU above " + MAX_CPU + FORMS);
        }
        return cpu.intValue();
    }

    /** The CPUs of this machine that are switched on, whether this process may use them or not. */
    public static CpuSet online() {
        try {
            return ranges(Files.readString(ONLINE).strip());
        } catch (IOException e) {
            BitSet all = new BitSet();
            all.set(0, Runtime.getRuntime().availableProcessors());
            return new CpuSet(all);
        }
    }

    /** CPUs in the kernel's form: 0-3,8. */
    static CpuSet ranges(String text) {
        BitSet cpus = new BitSet();
        for (String range : text.split(",")) {
            String[] ends = range.split("-");
            cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return new CpuSet(cpus);
    }

    static CpuSet of(BitSet cpus) {
        return new CpuSet((BitSet) cpus.clone());
    }

    /** Refuses CPUs that are not among the {@code available} ones. */
    public void checkWithin(CpuSet available) {
        BitSet missing = (BitSet) cpus.clone();
        missing.andNot(available.cpus);
        if (!missing.isEmpty()) {
            throw new UsageException(FLAG + "names CPU " + new CpuSet(missing)
                    + ", which this machine does not have; choose from CPU " + available);
        }
    }

    BitSet toBitSet() {
        return (BitSet) cpus.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && cpus.equals(set.cpus);
    }

    @Override
    public int hashCode() {
        return cpus.hashCode();
    }

    /** As 0, 2, 3. */
    @Override
    public String toString() {
        return cpus.stream().mapToObj(Integer::toString).collect(Collectors.joining(", "));
    }
}
